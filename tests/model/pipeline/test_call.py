"""A user's own function: well behaved, and in every way it can go wrong."""

import asyncio
import hashlib
import subprocess
import sys
import time

import pytest

from bakeoff.errors import ModelError
from bakeoff.model import open_model
from bakeoff.nouns import (
    Constraint,
    FailureKind,
    FinishReason,
    Generate,
    Generation,
    Loglikelihood,
    Message,
    Part,
)
from tests.model.pipeline.asking import call, chat, file_of

SYSTEM = Message.of("system", "Be brief.")


@pytest.mark.parametrize(
    "code",
    [
        "def answer(question): return question.upper()",
        "async def answer(question): return question.upper()",
        "def answer(query, *, k=3, **more): return query.upper()",
        "def answer(query, /): return query.upper()",
        "answer = str.upper",
        "answer = lambda question: question.upper()",
        "class Pipeline:\n  def __call__(self, text): return text.upper()\nanswer = Pipeline()",
        "class Pipeline:\n  async def __call__(self, text): return text.upper()\nanswer = Pipeline()",
        "async def later(text): return text.upper()\ndef answer(question): return later(question)",
        "import functools\ndef f(k, question): return question.upper()\nanswer = functools.partial(f, 3)",
        # Functions run in a thread, so that they may have an event loop of their own.
        "import asyncio\nasync def f(q): return q.upper()\ndef answer(q): return asyncio.run(f(q))",
    ],
)
def test_any_callable_is_asked_the_question(code, tmp_path):
    (response,) = call(tmp_path, code, chat("Where?", SYSTEM, Message.of("user", "earlier")))
    assert response.failure is None
    assert response.text == "WHERE?"
    assert response.timing.latency_s is not None


@pytest.mark.parametrize(
    "first", ["messages", "question, messages", "item_id, messages", "messages, item_id"]
)
def test_messages_and_the_items_id_are_given_to_who_takes_them(first, tmp_path):
    code = f"""
        def answer({first}):
            given = dict(locals())
            return {{"answer": "x", "stages": given}}
        """
    (response,) = call(tmp_path, code, chat("Where?", SYSTEM, key="item #1#0"))
    assert response.stages == {
        name: value
        for name, value in {
            "question": "Where?",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Where?"}],
            "item_id": "item #1",
        }.items()
        if name in first
    }


def test_a_plain_text_is_a_question_too(tmp_path):
    code = "def answer(question, messages): return question + messages[0]['content']"
    (response,) = call(tmp_path, code, Generate("a#0", "2+2=", Generation(), seed=1))
    assert response.text == "2+2=2+2="


def test_settings_fill_parameters_and_are_part_of_the_identity(tmp_path):
    path = file_of(tmp_path, "def answer(question, k, name='a'): return f'{k!r} {name!r}'")
    ref = f"call:{path}:answer"

    async def main(**settings):
        async with open_model(ref, settings) as model:
            return (await model.generate(chat())).text, model.identity

    said, identity = asyncio.run(
        main(**{"arg.k": "5", "arg.name": "bm25", "version": "3", "concurrency": "2"})
    )
    assert said == "5 'bm25'"
    assert identity.settings == {"arg.k": "5", "arg.name": "bm25", "version": "3"}
    assert identity.name == "pipeline.py:answer"
    assert identity.revision == "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()


def test_answers_are_kept_for_later_only_under_a_version(tmp_path):
    path = file_of(tmp_path, "def answer(question): return 'x'")
    assert not open_model(f"call:{path}:answer").capabilities.cacheable
    assert open_model(f"call:{path}:answer", {"version": "1"}).capabilities.cacheable


def test_modules_beside_the_file_can_be_imported(tmp_path):
    (tmp_path / "beside_this_pipeline.py").write_text("SAID = 'beside'")
    (response,) = call(tmp_path, "from beside_this_pipeline import SAID\ndef answer(question): return SAID")
    assert response.text == "beside"


def test_two_pipelines_never_share_a_module_of_one_name(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "retriever_of_this_test.py").write_text(f"SAID = '{name}'")
    code = "def answer(question):\n    from retriever_of_this_test import SAID\n    return SAID"
    (response,) = call(tmp_path / "one", code)
    assert response.text == "one"
    with pytest.raises(ModelError, match="has the same name and was imported before"):
        call(tmp_path / "two", code)
    assert call(tmp_path / "one", code)[0].text == "one"


def test_the_tasks_stop_strings_cut_the_answer(tmp_path):
    code = "def answer(question): return {'answer': 'one. two', 'finish_reason': 'length'}"
    whole, cut = call(tmp_path, code, chat(), chat(stop=(".",)))
    assert (whole.text, whole.finish) == ("one. two", FinishReason.LENGTH)
    assert (cut.text, cut.stop, cut.finish) == ("one", ".", FinishReason.STOP)


RAISING = """
    import asyncio
    def helper():
        raise ValueError("no index")
    class Odd(Exception):
        def __str__(self): raise RuntimeError
    {kind}def answer(question):
        {does}
    """


@pytest.mark.parametrize("kind", ["", "async "])
@pytest.mark.parametrize(
    ("does", "says"),
    [
        ("helper()", "ValueError: no index (pipeline.py:4)"),
        ("import sys; sys.exit(3)", "SystemExit: 3"),
        ("raise TimeoutError('the index is slow')", "TimeoutError: the index is slow"),
        ("raise asyncio.CancelledError", "CancelledError"),
        ("raise StopIteration(3)", "StopIteration"),
        ("raise Odd", "Odd"),
        ("return 1 // 0", "ZeroDivisionError"),
        ("raise ValueError('x' * 10**6)", "ValueError: xxx"),
        ("return question['text']", "TypeError"),
        ("def deeper(): return deeper()\n        return deeper()", "RecursionError"),
    ],
)
def test_what_a_function_raises_is_a_failure_that_says_it(kind, does, says, tmp_path):
    (response,) = call(tmp_path, RAISING.format(kind=kind, does=does))
    assert response.failure is not None
    assert response.failure.kind is FailureKind.RAISED
    assert says in response.failure.message
    assert len(response.failure.message) < 500
    assert response.text == ""


@pytest.mark.parametrize(
    ("returns", "says"),
    [
        ("None", "null"),
        ("7", "int"),
        ("b'Paris'", "bytes"),
        ("{'answer': None}", "'answer' is null"),
        ("{'answers': 'x'}", "did you mean 'answer'?"),
        ("'x' * 10 * 2**20", "more than 8,388,608 characters"),
        ("{'answer': 'x', 'passages': [{'id': 'a', 'text': 'y' * 10 * 2**20}]}", "more than"),
        ("(each for each in 'Paris')", "generator"),
    ],
)
def test_rubbish_is_a_malformed_reply(returns, says, tmp_path):
    (response,) = call(tmp_path, f"def answer(question): return {returns}")
    assert response.failure is not None
    assert response.failure.kind is FailureKind.MALFORMED
    assert says in response.failure.message


HANGING = {
    "a thread that sleeps": "import time\ndef answer(q): time.sleep(60 if q == 'hang' else 0); return q",
    "a coroutine that waits": (
        "import asyncio\nasync def answer(q): await asyncio.sleep(60 if q == 'hang' else 0); return q"
    ),
}


@pytest.mark.parametrize("code", HANGING.values(), ids=HANGING)
def test_a_function_that_hangs_times_out_and_the_next_question_is_answered(code, tmp_path):
    hung, answered = call(tmp_path, code, chat("hang"), chat("go"), deadline_s="1")
    assert hung.failure is not None
    assert hung.failure.kind is FailureKind.TIMEOUT
    assert answered.text == "go"


def test_a_coroutine_that_blocks_its_loop_times_out_too(tmp_path):
    code = "import time\nasync def answer(q): time.sleep(60)"
    hung, after = call(tmp_path, code, chat(), chat(), deadline_s="1")
    for response in (hung, after):
        assert response.failure is not None
        assert response.failure.kind is FailureKind.TIMEOUT


def test_a_function_that_hangs_does_not_hold_up_the_exit(tmp_path):
    path = file_of(tmp_path, "import time\ndef answer(q): time.sleep(3600)")
    script = (
        "import asyncio, sys; from bakeoff.model import open_model; from bakeoff.nouns import *\n"
        "async def main():\n"
        "    async with open_model(sys.argv[1], {'deadline_s': '1'}) as model:\n"
        "        return await model.generate(Generate('a#0', 'x', Generation(), 1))\n"
        "print(asyncio.run(main()).failure.kind)"
    )
    command = [sys.executable, "-c", script, f"call:{path}:answer"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "timeout"


def test_a_cancelled_call_is_cancelled_and_the_run_can_end(tmp_path):
    path = file_of(
        tmp_path,
        """
        import asyncio, pathlib
        async def answer(question):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                (pathlib.Path(__file__).parent / "cancelled").touch()
                raise
        """,
    )

    async def main():
        async with open_model(f"call:{path}:answer") as model:
            task = asyncio.create_task(model.generate(chat()))
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            for _ in range(100):
                if (tmp_path / "cancelled").exists():
                    return True
                await asyncio.sleep(0.05)
            return False

    assert asyncio.run(main())


@pytest.mark.parametrize(("code", "together"), [("def", 1), ("async def", 8)])
def test_functions_are_called_one_at_a_time_and_coroutines_eight(code, together, tmp_path):
    path = file_of(
        tmp_path,
        f"""
        import asyncio, time
        running = most = 0
        {code} answer(question):
            global running, most
            running += 1
            most = max(most, running)
            {"await asyncio.sleep(0.05)" if code == "async def" else "time.sleep(0.01)"}
            running -= 1
            return str(most)
        """,
    )

    async def main():
        async with open_model(f"call:{path}:answer") as model:
            window = model.window
            asked = iter(range(20))

            async def worker():
                return [(await model.generate(chat())).text for _ in asked]

            answers = await asyncio.gather(*(worker() for _ in range(window)))
            return window, max(int(text) for texts in answers for text in texts)

    assert asyncio.run(main()) == (together, together)


def test_twenty_failures_in_a_row_end_the_run_with_the_last_of_them(tmp_path):
    code = "def answer(q):\n  if q == 'bad': raise ValueError('no index')\n  return q"
    bad, good = chat("bad"), chat("good")
    responses = call(tmp_path, code, *[bad] * 19, good, *[bad] * 19)
    assert [response.failure is None for response in responses].count(True) == 1
    with pytest.raises(ModelError, match=r"(?s)pipeline.py:answer failed 20 times.*no index"):
        call(tmp_path, code, *[bad] * 20)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("def answer(question", "SyntaxError"),
        ("import nothing_of_this_name", "No module named"),
        ("raise ValueError('at import')", "ValueError: at import (pipeline.py:1)"),
        ("import sys; sys.exit()", "SystemExit"),
        ("def answr(question): ...", "Did you mean 'answr'?"),
        ("answer = 3", "but a value called 'answer'"),
        ("def answer(): ...", "takes no question"),
        ("def answer(question, index): ...", "needs 'index'"),
        ("def answer(question, *, index): ...", "arg.index"),
        ("def answer(*, question): ...", "takes no question"),
    ],
)
def test_a_function_that_cannot_be_called_is_refused_before_anything_is_asked(code, says, tmp_path):
    with pytest.raises(ModelError) as caught:
        call(tmp_path, code)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"arg.k": "3"}, "has no parameter 'k'"),
        ({"k": "3"}, "no setting 'k'"),
        ({"concurrency": "0"}, "at least 1"),
        ({"deadline_s": "soon"}, "whole number"),
    ],
)
def test_wrong_settings_are_refused(settings, says, tmp_path):
    with pytest.raises(ModelError, match=says):
        call(tmp_path, "def answer(question): return 'x'", **settings)


def test_what_a_pipeline_cannot_do_is_said(tmp_path):
    code = "def answer(question): return 'x'"
    image = Generate("a#0", (Message("user", (Part("image", "", "image/png"),)),), Generation(), seed=1)
    held = chat(constraint=Constraint("regex", "x"))
    for response in call(tmp_path, code, image, held):
        assert response.failure is not None
        assert response.failure.kind is FailureKind.UNSUPPORTED

    async def score():
        async with open_model(f"call:{file_of(tmp_path, code)}:answer") as model:
            await model.loglikelihood(Loglikelihood("a#0", "x", ("y",)))

    with pytest.raises(ModelError, match="log-probabilities"):
        asyncio.run(score())


def test_latency_is_the_functions_own(tmp_path):
    start = time.perf_counter()
    (response,) = call(tmp_path, "import time\ndef answer(q): time.sleep(0.05); return q")
    assert 0.05 <= response.timing.latency_s <= time.perf_counter() - start
