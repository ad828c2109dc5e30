#!/usr/bin/env python3
"""Runs the bundle on this machine's GPU: what must be known first comes first, so that a run may be cut short.

    ./run.py [PART...]    all parts, or some of: examples features matmul fp8 attention memory-bound ablation tests cases report
    ./run.py --resume     what is missing, after a run that was cut short
    ./run.py --dry-run    everything but the GPU: no libcuda, PyTorch or Triton; a few cases on a simulated GPU

Results are kept in OUT/results.json (--out, `results` without it) as they come, so that parts may run one by one, and so is
OUT/report.md. Each part has so many seconds (--budget PART=SECONDS, and --seconds for the whole run); what does not fit in is
named as not run. An error is named in the report, and stops nothing else. What hangs is ended and named.
"""
import argparse
import json
import os
import queue
import subprocess
import sys
import threading
import time

import report

HERE = os.path.dirname(os.path.abspath(__file__))
# In this order, each with its seconds: together less than half an hour.
BUDGETS = {
    "examples": 150, "features": 120, "matmul": 240, "fp8": 120, "attention": 420, "memory-bound": 150, "ablation": 240, "tests": 90,
    "cases": 210}
PARTS = tuple(BUDGETS)
# Folders of the cases of a part.
CASES = {"features": "first", "cases": "rest"}
GUARDED = ("tests", "examples")
AGAIN = 3
PROGRAM_SECONDS = 100


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(PARTS) + " report")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--resume", action="store_true", help="leave out the parts that have ended")
    parser.add_argument("--out", default=os.path.join(HERE, "results"))
    parser.add_argument("--seconds", type=float, default=float("inf"), help="how long all parts may take together")
    parser.add_argument("--budget", action="append", default=[], metavar="PART=SECONDS", help="how long a part may take")
    parser.add_argument("--rounds", type=int, default=20, help="how often each contestant is timed")
    parser.add_argument("--only", default="", help="contestants whose name contains this")
    parser.add_argument("--benchmark", default="", help="benchmarks whose name contains this")
    parser.add_argument("--case-seconds", type=float, default=30, help="how long a case may take")
    parser.add_argument("--benchmark-seconds", type=float, default=180, help="how long a benchmark may take")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--without", action="append", default=[], help=argparse.SUPPRESS)
    options = parser.parse_args()
    unknown = [part for part in options.parts if part not in PARTS + ("report",)]
    if unknown:
        parser.error(f"no part is {', '.join(unknown)}; parts are {', '.join(PARTS)} and report")
    if options.worker:
        return work(options)
    budgets = dict(BUDGETS)
    for text in options.budget:
        part, _, seconds = text.partition("=")
        if part not in BUDGETS or not seconds.replace(".", "", 1).isdigit():
            parser.error(f"`--budget {text}` is not PART=SECONDS; parts are {', '.join(PARTS)}")
        budgets[part] = float(seconds)
    whole = Time(options.seconds)
    os.makedirs(options.out, exist_ok=True)
    results = Results(options.out, options.dry_run)
    results.set("machine", machine(options.dry_run))
    ended = results.all.get("ended", []) if options.resume else []
    for part in options.parts or PARTS:
        if part in BUDGETS and part not in ended:
            run_part(part, options, results, Time(min(budgets[part], whole.left())), whole)
    print(report.write(options.out, results.all))
    return 1 if report.faults(results.all) else 0


def run_part(part, options, results, limit, whole):
    """Runs a part, and says that it ended unless the run had no more time for it."""
    print(f"== {part}", flush=True)
    results.begin(part)
    if part in CASES:
        cases(part, options, results, limit)
    elif part in GUARDED:
        programs(part, options, results, limit)
    else:
        benchmark_part(part, options, results, limit)
    results.end(part, whole.left() > 0 or not results.all["not_run"].get(part))


class Time:
    """So many seconds from now."""

    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def left(self):
        return max(self.end - time.monotonic(), 0.0)


class Results:
    """What is known, in files that are always complete: what ends this process takes none of it."""

    def __init__(self, folder, is_dry):
        self.folder = folder
        self.path = os.path.join(folder, "results.json")
        self.all = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                found = json.load(file)
            # Figures of a dry run are no figures.
            if found.get("machine", {}).get("dry_run") == is_dry:
                self.all = found
        self.all.setdefault("not_run", {})
        self.all.setdefault("ended", [])
        self.written, self.is_new = 0.0, False

    def set(self, key, value):
        self.all[key] = value
        self.write()

    def set_soon(self, key, value):
        """For what comes many times a second."""
        self.all[key] = value
        self.is_new = True
        if time.monotonic() - self.written > 1:
            self.write()

    def write_rest(self):
        if self.is_new:
            self.write()

    def begin(self, part):
        self.all["not_run"].pop(part, None)
        self.all["ended"] = [one for one in self.all["ended"] if one != part]
        self.set("running", part)

    def end(self, part, is_whole):
        if is_whole:
            self.all["ended"].append(part)
        self.set("running", None)

    def leave_out(self, part, names):
        """There was no time for these."""
        if names:
            self.all["not_run"][part] = names
            print(f"{part}: no time for {', '.join(names)}", flush=True)
            self.write()

    def write(self):
        temporary = self.path + ".new"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(self.all, file, indent=1)
        os.replace(temporary, self.path)
        report.write(self.folder, self.all, with_plots=False)
        self.written, self.is_new = time.monotonic(), False


def said(command):
    try:
        output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, check=False)
        return output.stdout.decode(errors="replace").strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def machine(is_dry):
    found = {"dry_run": is_dry, "time": time.strftime("%Y-%m-%d %H:%M", time.gmtime()), "python": sys.version.split()[0]}
    if is_dry:
        return found
    keys = "name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.limit,temperature.gpu"
    for key, value in zip(keys.split(","), said(["nvidia-smi", f"--query-gpu={keys}", "--format=csv,noheader"]).split(", ")):
        found[key] = value
    script = "import torch, triton; print(torch.__version__, torch.version.cuda, torch.backends.cudnn.version(), triton.__version__)"
    versions = said([sys.executable, "-c", script]).split()
    found.update(zip(("torch", "cuda", "cudnn", "triton"), versions))
    return found


class Lines:
    """A process whose lines come with a limit of time."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, **environment}, cwd=HERE,
            text=True, errors="replace")
        self.queue = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.queue.put(line.rstrip("\n"))
        self.queue.put(None)

    def next(self, seconds):
        """A line, or None at the end."""
        return self.queue.get(timeout=seconds)

    def end(self):
        self.process.kill()
        self.process.wait()


def cases(part, options, results, limit):
    """Runs the cases of a folder, and starts again behind one after which nothing works. A dry run has some that the simulator
    takes."""
    found = {"same": 0, "others": []}
    program = os.path.join(HERE, "bin", "cases")
    folder = os.path.join(HERE, "sample") if options.dry_run else os.path.join(HERE, "cases", CASES[part])
    if not os.path.isdir(folder) and not options.dry_run:
        return results.set(part, {**found, "error": f"the bundle has no cases/{CASES[part]}"})
    if not os.path.exists(program):
        return results.set(part, {**found, "error": "the bundle has no bin/cases"})
    environment = {"TILE_CASES": folder}
    if options.dry_run:
        environment["TILE_CASES_DEVICE"] = "sim"
    begin, total = 0, None

    def add(line=None):
        if line is None:
            found["same"] += 1
        else:
            found["others"].append(line)
            print(line, flush=True)
        results.set_soon(part, found)

    while True:
        lines = Lines([program], {**environment, "TILE_CASES_FROM": str(begin)})
        name, number = "", None
        try:
            while (line := awaited(lines, min(options.case_seconds, limit.left()), results)) is not None:
                message = parsed(line)
                if "case" in message:
                    name, number = message["case"], message["number"]
                elif "outcome" in message:
                    add(None if message["outcome"] == "same" else f"{name}: {message['message']}")
                    begin = message["number"] + 1
                    number = None
                elif "of" in message:
                    total = message["of"]
                elif "error" in message:
                    lines.end()
                    return results.set(part, {**found, "error": message["error"]})
                if not limit.left():
                    raise queue.Empty
        except queue.Empty:
            lines.end()
            if not limit.left():
                rest = f"{total - begin} of {total} cases" if total is not None else "some cases"
                results.leave_out(part, [rest] if total != begin else [])
                return results.set(part, found)
            add(f"{name}: no end within {options.case_seconds:g} s")
            if number is None:
                return results.set(part, {**found, "error": "no case begins"})
            begin = number + 1
            continue
        status = lines.process.wait()
        if status == 0:
            return results.set(part, found)
        if number is not None:
            add(f"{name}: the program ends with {status}")
            begin = number + 1
        elif status != AGAIN:
            return results.set(part, {**found, "error": f"the program ends with {status}"})


def awaited(lines, seconds, results):
    """The next line, or None at the end. Who has to wait for it writes what is known."""
    limit = Time(seconds)
    while True:
        try:
            return lines.next(min(limit.left(), 0.5))
        except queue.Empty:
            results.write_rest()
            if not limit.left():
                raise


def parsed(line):
    try:
        message = json.loads(line)
        return message if isinstance(message, dict) else {}
    except ValueError:
        return {}


def programs(part, options, results, limit):
    """Runs the programs of the bundle, each to its end."""
    folder = os.path.join(HERE, "bin", part)
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    found = {}
    results.set(part, found)
    for place, name in enumerate(names):
        if not limit.left():
            return results.leave_out(part, names[place:])
        environment = {"CARGO_MANIFEST_DIR": HERE, "RUST_BACKTRACE": "1"}
        if not options.dry_run:
            environment["TILE_DEVICE"] = "cuda"
        seconds = min(60 if options.dry_run else PROGRAM_SECONDS, limit.left())
        try:
            output = subprocess.run(
                [os.path.join(folder, name)], env={**os.environ, **environment}, cwd=HERE, timeout=seconds,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            text = output.stdout.decode(errors="replace")
            found[name] = {"status": output.returncode, "said": text[-2000:]}
        except subprocess.TimeoutExpired:
            if not limit.left():
                return results.leave_out(part, names[place:])
            # On the CPU some take longer than a dry run may.
            found[name] = {"status": 0 if options.dry_run else -1, "said": f"no end within {seconds:g} s"}
        except OSError as error:
            found[name] = {"status": -1, "said": str(error)}
        print(f"{name}: {found[name]['status']}", flush=True)
        results.set(part, found)


def benchmark_part(part, options, results, limit):
    """Each benchmark in a process of its own, again without who broke it."""
    import suite

    found = dict(results.all.get("benchmarks", {}))
    of_part = [one for one in suite.benchmarks(os.path.join(HERE, "kernels"))
               if one.part == part and options.benchmark in one.name]
    for place, benchmark in enumerate(of_part):
        by_name, without = {}, []
        while len(without) <= len(benchmark.contestants):
            if not limit.left():
                break
            seconds = min(options.benchmark_seconds, limit.left())
            outcome, broken = worker(benchmark.name, options, without, seconds)
            for result in outcome:
                name = f"{result['maker']} {result['variant']}".strip()
                if name not in without:
                    by_name[name] = result
            if broken is None:
                break
            name, error = broken
            if not limit.left():
                # It had less time than a benchmark may take.
                break
            if error is not None:
                maker, _, variant = name.partition(" ")
                by_name[name] = {"maker": maker, "variant": variant, "error": error}
            if not name or name in without:
                break
            without.append(name)
        if by_name:
            found[benchmark.name] = {
                "part": part, "unit": benchmark.unit, "work": benchmark.work, "contestants": list(by_name.values())}
            results.set("benchmarks", found)
        for name, result in by_name.items():
            score = f"{result['score']:.4g} {benchmark.unit}" if "score" in result else result.get("error") or "-"
            print(f"{benchmark.name}: {name}: {score}", flush=True)
        if not limit.left():
            rest = of_part[place:] if not by_name else of_part[place + 1:]
            return results.leave_out(part, [one.name for one in rest])


def worker(name, options, without, seconds):
    """The results, and who broke the process with what, if somebody did."""
    command = [sys.executable, os.path.abspath(__file__), "--worker", name, "--rounds", str(options.rounds)]
    command += ["--only", options.only] + [part for one in without for part in ("--without", one)]
    command += ["--dry-run"] if options.dry_run else []
    lines = Lines(command, {"PYTHONUNBUFFERED": "1"})
    current, results, last = "", None, ""
    end = time.monotonic() + seconds
    try:
        while (line := lines.next(max(end - time.monotonic(), 0.1))) is not None:
            message = parsed(line)
            if "begins" in message:
                current = message["begins"]
            elif "results" in message:
                results = message["results"]
            elif line.strip():
                last = line.strip()
    except queue.Empty:
        lines.end()
        return [], (current, f"no end within {seconds:g} s")
    status = lines.process.wait()
    if results is None:
        return [], (current, f"the process ends with {status}: {last[:300]}")
    sticky = [result for result in results if result.get("is_sticky")]
    if sticky:
        return results, (f"{sticky[0]['maker']} {sticky[0]['variant']}".strip(), None)
    return results, None


def work(options):
    import host
    import suite

    def say(message):
        print(json.dumps(message), flush=True)

    found = [one for one in suite.benchmarks(os.path.join(HERE, "kernels")) if one.name == options.worker]
    machine = host.DryHost() if options.dry_run else host.TorchHost()
    results = host.measured(
        found[0], machine, options.rounds, options.only, options.without, lambda name: say({"begins": name}))
    say({"results": results})
    return 0


if __name__ == "__main__":
    sys.exit(main())
