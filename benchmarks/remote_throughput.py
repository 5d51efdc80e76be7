"""Requests per second, CPU time and memory of a remote model beside a bare aiohttp loop.

A server on the loopback answers every chat request after a fixed delay, in a process of its own. Two clients
then send the same requests at the same concurrency, each in a fresh process: `OpenAIModel`, with all
its pacing, checks and retries, and the least that aiohttp can do (post, read, parse the JSON). The ceiling is
concurrency / delay.

    python benchmarks/remote_throughput.py                          5,000 requests, 64 at once, 50 ms, whole
    python benchmarks/remote_throughput.py --stream                 the same, streamed in 32 events
    python benchmarks/remote_throughput.py -n 100000 --delay 0      memory over many requests

Columns: requests per second, share of the ceiling, CPU milliseconds of the client per request, peak resident
memory in MiB, and by how much the peak grew after the first tenth of the requests.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection

from null_server import TEXT, null_server, prompt


async def ours(url: str, n: int, concurrency: int, stream: bool) -> list[int]:
    from bakeoff.model.remote import OpenAIModel
    from bakeoff.nouns import Generate, Generation, Message

    settings = {"base_url": url, "concurrency": str(concurrency), "stream": str(stream)}
    async with OpenAIModel("mock", settings) as model:

        async def one(number: int) -> None:
            messages = (Message.of("user", prompt(number)),)
            response = await model.generate(Generate(str(number), messages, Generation(), number))
            assert response.failure is None, response.failure
            assert len(response.text) == len(TEXT)

        return await _drive(one, n, model.window)


async def bare(url: str, n: int, concurrency: int, stream: bool) -> list[int]:
    import aiohttp

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=concurrency)) as session:

        async def one(number: int) -> None:
            body = {"model": "mock", "messages": [{"role": "user", "content": prompt(number)}]}
            if stream:
                body |= {"stream": True}
            data = json.dumps(body, separators=(",", ":")).encode()
            async with session.post(f"{url}/chat/completions", data=data) as reply:
                if not stream:
                    answer = json.loads(await reply.read())["choices"][0]["message"]["content"]
                else:
                    answer = ""
                    async for line in reply.content:
                        if line.startswith(b"data: {"):
                            for choice in json.loads(line[6:])["choices"]:
                                answer += choice["delta"].get("content", "")
            assert len(answer) == len(TEXT)

        return await _drive(one, n, concurrency)


async def _drive(one: Callable[[int], Awaitable[None]], n: int, workers: int) -> list[int]:
    """Send n requests; the peak memory in KiB after a tenth of them and at the end."""
    numbers = iter(range(n))
    peaks = []

    async def worker() -> None:
        for number in numbers:
            await one(number)
            if number == n // 10:
                peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    await asyncio.gather(*(worker() for _ in range(workers)))
    return [*peaks, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]


def measure(pipe: Connection, name: str, url: str, n: int, concurrency: int, stream: bool) -> None:
    client = {"ours": ours, "bare": bare}[name]
    asyncio.run(client(url, 2 * concurrency, concurrency, stream))  # warm up: imports, code, allocator
    wall, cpu = time.perf_counter(), time.process_time()
    peaks = asyncio.run(client(url, n, concurrency, stream))
    pipe.send((time.perf_counter() - wall, time.process_time() - cpu, peaks))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", type=int, default=5000, help="requests for each client")
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--delay", type=float, default=50.0, help="milliseconds until the server answers")
    parser.add_argument("--stream", action="store_true")
    options = parser.parse_args()
    spawn = multiprocessing.get_context("spawn")
    ceiling = options.concurrency / (options.delay / 1000) if options.delay else float("inf")
    print(
        f"{options.n} requests, {options.concurrency} at once, {options.delay:g} ms, {os.cpu_count()} cores"
    )
    print(f"{'client':<8} {'req/s':>7} {'ceiling':>8} {'CPU ms':>7} {'peak MiB':>9} {'growth':>7}")
    rates = {}
    with null_server(options.delay / 1000) as server:
        for name in ("bare", "ours"):
            results, sender = spawn.Pipe(duplex=False)
            args = (sender, name, server.url, options.n, options.concurrency, options.stream)
            client = spawn.Process(target=measure, args=args, daemon=True)
            client.start()
            sender.close()
            wall, cpu, peaks = results.recv()
            client.join()
            rates[name] = options.n / wall
            print(
                f"{name:<8} {rates[name]:>7.0f} {rates[name] / ceiling:>8.0%} {1000 * cpu / options.n:>7.2f} "
                f"{peaks[-1] / 1024:>9.1f} {(peaks[-1] - peaks[0]) / 1024:>7.1f}"
            )
    print(f"ours / bare: {rates['ours'] / rates['bare']:.2f}")


if __name__ == "__main__":
    main()
