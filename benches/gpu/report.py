"""Makes a page with tables and plots of results."""
import os
import statistics

from suite import TARGETS

COLORS = {"ours": "#1b6ca8", "tileiras": "#76b900", "PyTorch": "#ee4c2c", "Triton": "#8a63d2"}


def best(contestants, maker):
    """The fastest variant of a maker, or None."""
    found = [one for one in contestants if one["maker"] == maker and "score" in one]
    return max(found, key=lambda one: one["score"]) if found else None


def makers(contestants):
    return list(dict.fromkeys(one["maker"] for one in contestants))


def ratio_of(ours, theirs):
    """The median of the ratios of rounds, in which both ran one after the other."""
    pairs = zip(theirs["milliseconds"], ours["milliseconds"])
    return statistics.median(theirs / ours for theirs, ours in pairs)


def targets(name, benchmarks):
    """Of each target its text, the ratio or the figure that was found, and whether that is enough."""
    contestants = benchmarks[name]["contestants"]
    ours, found = best(contestants, "ours"), []
    for of, least in TARGETS.get(name, []):
        if of == "TFLOP/s":
            text, value = f"at least {least} TFLOP/s", ours and ours["score"]
        elif of == "copy":
            copies = benchmarks.get("copy 1 GiB", {}).get("contestants", [])
            scores = [one["score"] for one in copies if "score" in one and one["maker"] != "ours"]
            text, value = f"at least {least} of the copy", ours and scores and ours["score"] / max(scores)
        else:
            others = [best(contestants, maker) for maker in makers(contestants) if maker != "ours"]
            others = [one for one in others if one]
            peer = best(contestants, of) if of != "best" else max(others, key=lambda one: one["score"], default=None)
            text, value = f"at least {least} of {'the best peer' if of == 'best' else of}", ours and peer and ratio_of(ours, peer)
        found.append((text, value or None, value >= least if value else None))
    return found


def faults(results):
    """What went wrong with what is ours, a line each."""
    found = []
    for part in ("features", "cases"):
        cases = results.get(part, {})
        found += [f"case {line}" for line in cases.get("others", [])]
        if "error" in cases:
            found.append(f"{part}: {cases['error']}")
    for part in ("tests", "examples"):
        for name, outcome in results.get(part, {}).items():
            if outcome["status"] != 0:
                last = [line for line in outcome["said"].splitlines() if line.strip()][-1:] or [""]
                found.append(f"{part}: `{name}` ends with {outcome['status']}: {last[0][:200]}")
    for name, benchmark in results.get("benchmarks", {}).items():
        for one in benchmark["contestants"]:
            if one["maker"] == "ours" and "error" in one:
                found.append(f"{name}: ours {one['variant']}: {one['error']}")
    return found


def write(folder, results, with_plots=True):
    """The page, which replaces that of before at once; its path."""
    machine = results.get("machine", {})
    lines = ["# Hopper: correctness and speed on a GPU", ""]
    if machine.get("dry_run"):
        lines += ["**A dry run: nothing ran on a GPU, and the figures below mean nothing.**", ""]
    lines += ["Written by `run.py` of `cargo xtask gpu-bundle`. " + ", ".join(
        f"{key} {value}" for key, value in machine.items() if key != "dry_run") + ".", ""]
    if results.get("running"):
        lines += [f"**Not complete: the run is in the part `{results['running']}`, or was cut short there.**", ""]
    wrong = faults(results)
    lines += ["## Correctness", ""]
    for part, kind in (("features", "cases with every feature between them"), ("cases", "other cases of the back end")):
        if part in results:
            cases = results[part]
            lines.append(f"- {kind}, with poisoned outputs between guards: {cases['same']} as the interpreter, "
                         f"{len(cases['others'])} otherwise")
    for part in ("tests", "examples"):
        if part in results:
            good = sum(outcome["status"] == 0 for outcome in results[part].values())
            lines.append(f"- {part}: {good} of {len(results[part])} programs succeed")
    lines += ["", "What went wrong:" if wrong else "Nothing of ours went wrong.", ""]
    lines += [f"- {line}" for line in wrong]
    not_run = results.get("not_run", {})
    if not_run:
        lines += ["", "Not run, for want of time:", ""]
        lines += [f"- {part}: {', '.join(names)}" for part, names in not_run.items()]
    benchmarks = results.get("benchmarks", {})
    if benchmarks:
        lines += speed(folder, benchmarks, machine.get("dry_run", False), with_plots)
    path = os.path.join(folder, "report.md")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write("\n".join(lines).rstrip() + "\n")
    os.replace(path + ".new", path)
    return path


def speed(folder, benchmarks, is_dry, with_plots):
    lines = [
        "", "## Speed", "",
        "Random inputs of mean 0 and deviation 1; every result is compared with PyTorch's in f32 first. Callers take turns, each "
        "call behind a write that flushes the L2 cache, timed by events of the stream. The fastest variant of each, median; a ratio is "
        "the median of those of rounds. `ours` and `tileiras` compile the same bytecode.", ""]
    names = list(dict.fromkeys(maker for one in benchmarks.values() for maker in makers(one["contestants"])))
    peers = [name for name in names if name != "ours"]
    lines.append("| benchmark | unit | " + " | ".join(names) + " | " + " | ".join(f"ours / {name}" for name in peers) + " | targets |")
    lines.append("|---|---|" + "---|" * (len(names) + len(peers) + 1))
    for name, benchmark in benchmarks.items():
        contestants = benchmark["contestants"]
        bests = {maker: best(contestants, maker) for maker in names}
        cells = [f"{bests[maker]['score']:.4g}" if bests[maker] else "-" for maker in names]
        for maker in peers:
            both = bests.get("ours") and bests[maker]
            cells.append(f"{ratio_of(bests['ours'], bests[maker]):.3f}" if both else "-")
        said = {None: "not measured", True: "reached", False: "missed"}
        if is_dry:
            said = dict.fromkeys(said, "a dry run")
        cells.append("; ".join(f"{text}: {said[is_reached]}" for text, _, is_reached in targets(name, benchmarks)) or "-")
        lines.append(f"| {name} | {benchmark['unit']} | " + " | ".join(cells) + " |")
    lines += ["", "### All variants", "", "| benchmark | who | variant | median ms | spread | figure |", "|---|---|---|---|---|---|"]
    for name, benchmark in benchmarks.items():
        for one in benchmark["contestants"]:
            head = f"| {name} | {one['maker']} | {one['variant'] or '-'} |"
            if "score" in one:
                times = sorted(one["milliseconds"])
                spread = (times[-1] - times[0]) / one["median"]
                lines.append(f"{head} {one['median']:.4f} | {spread:.1%} | {one['score']:.4g} {benchmark['unit']} |")
            else:
                why = one.get("error") or one.get("skipped") or "-"
                lines.append(f"{head} - | - | {why.replace('|', '/')} |")
    lines += ablations(benchmarks)
    lines += [""]
    parts = dict.fromkeys(benchmark["part"] for benchmark in benchmarks.values())
    for part in parts if with_plots else ():
        picture = plot(folder, part, {name: one for name, one in benchmarks.items() if one["part"] == part})
        if picture:
            lines += [f"![{part}]({picture})", ""]
    return lines


def ablations(benchmarks):
    """A table for each ablation, with what each step gains over the one before."""
    lines = []
    for name, benchmark in benchmarks.items():
        if benchmark["part"] != "ablation":
            continue
        lines += ["", f"### {name.capitalize()}", "", f"| step | {benchmark['unit']} | of the step before | of the peer |", "|---|---|---|---|"]
        peer = next((best(benchmark["contestants"], one) for one in makers(benchmark["contestants"]) if one != "ours"), None)
        before = None
        for one in benchmark["contestants"]:
            if one["maker"] != "ours":
                continue
            if "score" not in one:
                lines.append(f"| {one['variant']} | - | - | - |")
                continue
            gain = f"{ratio_of(one, before):.3f}" if before else "-"
            share = f"{ratio_of(one, peer):.3f}" if peer else "-"
            lines.append(f"| {one['variant']} | {one['score']:.4g} | {gain} | {share} |")
            before = one
        if peer:
            lines.append(f"| {peer['maker']} {peer['variant']} | {peer['score']:.4g} | - | 1.000 |")
    return lines


def bars(benchmarks):
    """For each benchmark the makers with figures."""
    return [
        (name, [(maker, best(one["contestants"], maker)["score"]) for maker in makers(one["contestants"])
                if best(one["contestants"], maker)])
        for name, one in benchmarks.items()]


def plot(folder, part, benchmarks):
    """The name of a picture, or None where there is nothing to show."""
    groups = bars(benchmarks)
    if not any(scores for _, scores in groups):
        return None
    unit = next(iter(benchmarks.values()))["unit"]
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        name = f"{part}.svg"
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(svg(groups, unit))
        return name
    figure, axes = pyplot.subplots(figsize=(2 + 1.6 * len(groups), 4))
    labelled = set()
    for number, (_, scores) in enumerate(groups):
        for place, (maker, score) in enumerate(scores):
            label = None if maker in labelled else maker
            labelled.add(maker)
            axes.bar(number + (place - len(scores) / 2 + 0.5) * 0.2, score, 0.18, color=COLORS.get(maker, "#888"), label=label)
    axes.set_xticks(range(len(groups)), [name.replace(" ", "\n") for name, _ in groups])
    axes.set_ylabel(unit)
    axes.legend()
    figure.tight_layout()
    name = f"{part}.png"
    figure.savefig(os.path.join(folder, name), dpi=120)
    pyplot.close(figure)
    return name


def svg(groups, unit):
    """Lying bars, as text."""
    most = max(score for _, scores in groups for _, score in scores)
    rows, y = [], 10
    for name, scores in groups:
        rows.append(f'<text x="10" y="{y + 12}" font-weight="bold">{name} ({unit})</text>')
        y += 18
        for maker, score in scores:
            width = 420 * score / most
            rows.append(f'<rect x="90" y="{y}" width="{width:.1f}" height="14" fill="{COLORS.get(maker, "#888")}"/>')
            rows.append(f'<text x="10" y="{y + 11}">{maker}</text><text x="{95 + width:.1f}" y="{y + 11}">{score:.4g}</text>')
            y += 18
        y += 8
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="{y}" font-family="sans-serif" font-size="12">'
    return "\n".join([head, *rows, "</svg>"]) + "\n"
