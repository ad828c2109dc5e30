#!/usr/bin/env python3
"""Runs the bundle on this machine's GPU: correctness, then benchmarks beside other libraries.

    ./run.py [PART...]    all parts, or some of: cases tests examples matmul fp8 attention streams ladder report
    ./run.py --dry-run    everything but the GPU: no libcuda, PyTorch or Triton; a few cases on a simulated GPU

Results are kept in OUT/results.json (--out, `results` without it), so that parts may run one by one; `report` makes
OUT/report.md and its plots of them, and every run ends with it. An error is named in the report, and stops
nothing else. What hangs is ended and named.
"""
import argparse
import json
import os
import queue
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = ("cases", "tests", "examples", "matmul", "fp8", "attention", "streams", "ladder")
GUARDED = ("tests", "examples")
AGAIN = 3
PROGRAM_SECONDS = 240


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=" ".join(PARTS) + " report")
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--out", default=os.path.join(HERE, "results"))
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
    os.makedirs(options.out, exist_ok=True)
    results = Results(options.out, options.dry_run)
    results.set("machine", machine(options.dry_run))
    wanted = options.parts or PARTS
    for part in PARTS:
        if part in wanted:
            print(f"== {part}", flush=True)
            if part == "cases":
                results.set(part, cases(options))
            elif part in GUARDED:
                results.set(part, programs(part, options))
            else:
                benchmark_part(part, options, results)
    import report

    print(report.write(options.out, results.all))
    return 1 if report.faults(results.all) else 0


class Results:
    """What is known, in a file that is always complete."""

    def __init__(self, folder, is_dry):
        self.path = os.path.join(folder, "results.json")
        self.all = {}
        if os.path.exists(self.path):
            with open(self.path, encoding="utf-8") as file:
                found = json.load(file)
            # Figures of a dry run are no figures.
            if found.get("machine", {}).get("dry_run") == is_dry:
                self.all = found

    def set(self, key, value):
        self.all[key] = value
        temporary = self.path + ".new"
        with open(temporary, "w", encoding="utf-8") as file:
            json.dump(self.all, file, indent=1)
        os.replace(temporary, self.path)


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


def case_folder(options, room):
    """The cases, which are packed; a dry run has some that the simulator takes."""
    if options.dry_run:
        return os.path.join(HERE, "sample")
    with tarfile.open(os.path.join(HERE, "cases.tar.xz")) as archive:
        archive.extractall(room)
    return room


def cases(options):
    """Runs all cases, and starts again behind one after which nothing works."""
    found = {"same": 0, "others": []}
    program = os.path.join(HERE, "bin", "cases")
    if not os.path.exists(program):
        return {**found, "error": "the bundle has no bin/cases"}
    with tempfile.TemporaryDirectory() as room:
        environment = {"TILE_CASES": case_folder(options, room)}
        if options.dry_run:
            environment["TILE_CASES_DEVICE"] = "sim"
        begin = 0
        while True:
            lines = Lines([program], {**environment, "TILE_CASES_FROM": str(begin)})
            name, number = "", None
            try:
                while (line := lines.next(options.case_seconds)) is not None:
                    message = parsed(line)
                    if "case" in message:
                        name, number = message["case"], message["number"]
                    elif "outcome" in message:
                        if message["outcome"] == "same":
                            found["same"] += 1
                        else:
                            found["others"].append(f"{name}: {message['message']}")
                        begin = message["number"] + 1
                        number = None
                    elif "error" in message:
                        return {**found, "error": message["error"]}
            except queue.Empty:
                lines.end()
                found["others"].append(f"{name}: no end within {options.case_seconds:g} s")
                if number is None:
                    return {**found, "error": "no case begins"}
                begin = number + 1
                continue
            status = lines.process.wait()
            if status == 0:
                return found
            if number is not None:
                found["others"].append(f"{name}: the program ends with {status}")
                begin = number + 1
            elif status != AGAIN:
                return {**found, "error": f"the program ends with {status}"}


def parsed(line):
    try:
        message = json.loads(line)
        return message if isinstance(message, dict) else {}
    except ValueError:
        return {}


def programs(part, options):
    """Runs the programs of the bundle, each to its end."""
    folder = os.path.join(HERE, "bin", part)
    found = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        environment = {"CARGO_MANIFEST_DIR": HERE, "RUST_BACKTRACE": "1"}
        if not options.dry_run:
            environment["TILE_DEVICE"] = "cuda"
        seconds = 60 if options.dry_run else PROGRAM_SECONDS
        try:
            output = subprocess.run(
                [os.path.join(folder, name)], env={**os.environ, **environment}, cwd=HERE, timeout=seconds,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            text = output.stdout.decode(errors="replace")
            found[name] = {"status": output.returncode, "said": text[-2000:]}
        except subprocess.TimeoutExpired:
            # On the CPU some take longer than a dry run may.
            found[name] = {"status": 0 if options.dry_run else -1, "said": f"no end within {seconds} s"}
        except OSError as error:
            found[name] = {"status": -1, "said": str(error)}
        print(f"{name}: {found[name]['status']}", flush=True)
    return found


def benchmark_part(part, options, results):
    """Each benchmark in a process of its own, again without who broke it."""
    import suite

    found = dict(results.all.get("benchmarks", {}))
    for benchmark in suite.benchmarks(os.path.join(HERE, "kernels")):
        if benchmark.part != part or options.benchmark not in benchmark.name:
            continue
        by_name, without = {}, []
        while len(without) <= len(benchmark.contestants):
            outcome, broken = worker(benchmark.name, options, without)
            for result in outcome:
                name = f"{result['maker']} {result['variant']}".strip()
                if name not in without:
                    by_name[name] = result
            if broken is None:
                break
            name, error = broken
            if error is not None:
                maker, _, variant = name.partition(" ")
                by_name[name] = {"maker": maker, "variant": variant, "error": error}
            if not name or name in without:
                break
            without.append(name)
        found[benchmark.name] = {
            "part": part, "unit": benchmark.unit, "work": benchmark.work, "contestants": list(by_name.values())}
        results.set("benchmarks", found)
        for name, result in by_name.items():
            score = f"{result['score']:.4g} {benchmark.unit}" if "score" in result else result.get("error") or "-"
            print(f"{benchmark.name}: {name}: {score}", flush=True)


def worker(name, options, without):
    """The results, and who broke the process with what, if somebody did."""
    command = [sys.executable, os.path.abspath(__file__), "--worker", name, "--rounds", str(options.rounds)]
    command += ["--only", options.only] + [part for one in without for part in ("--without", one)]
    command += ["--dry-run"] if options.dry_run else []
    lines = Lines(command, {"PYTHONUNBUFFERED": "1"})
    current, results, last = "", None, ""
    end = time.monotonic() + options.benchmark_seconds
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
        return [], (current, f"no end within {options.benchmark_seconds:g} s")
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
    sys.path.insert(0, HERE)
    sys.exit(main())
