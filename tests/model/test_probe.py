"""The probe: engines with the known silent faults are refused, honest ones are not."""

import asyncio
import json
import math
from dataclasses import asdict, replace

import pytest

from bakeoff.errors import ModelError
from bakeoff.model import open_model, probe
from bakeoff.model.protocol import Capabilities, Identity
from bakeoff.nouns import (
    Failure,
    FailureKind,
    FinishReason,
    Generate,
    Loglikelihood,
    OptionScore,
    Response,
)

# What a model of five facts writes after the last word of a text, and how sure it is.
FACTS = {
    " is": (" Paris", 0.8),
    " four": (" five", 0.9),
    " Thursday": (" Friday", 0.9),
    " Paris": (" and", 0.3),
}
ANSWER = "Whales, dolphins and sharks live in the sea."


class WordModel:
    """Knows `FACTS`; everything else is equally unlikely. One word is one token."""

    identity = Identity("fake", "words")
    capabilities = Capabilities(loglikelihood=True, images=False)
    context_length = None
    window = 4

    def __init__(self):
        self.calls = 0

    def count_tokens(self, request):
        return None

    async def generate(self, request):
        self.calls += 1
        assert request.generation.temperature == 0
        assert request.generation.max_tokens <= 16
        if isinstance(request.input, str):
            return Response(text=self.likeliest(request.input)[0], finish=FinishReason.LENGTH)
        return self.stopped(ANSWER, request.generation.stop)

    def stopped(self, text, stops):
        stop = next((stop for stop in stops if stop in text), None)
        return Response(text=text.split(stop)[0] if stop else text, stop=stop, finish=FinishReason.STOP)

    async def loglikelihood(self, request):
        self.calls += 1
        return Response(options=tuple(self.option(request.input, text) for text in request.continuations))

    def option(self, context, continuation):
        return OptionScore(self.logprob(context, continuation), 1)

    def logprob(self, context, word):
        likeliest, p = self.likeliest(context)
        return math.log(p if word == likeliest else (1 - p) / 50_000)

    def likeliest(self, text):
        return FACTS.get(" " + text.split()[-1], (" the", 0.1))


class OffByOne(WordModel):
    """llama_cpp.server's echo: a token is looked up among those that may follow it."""

    def logprob(self, context, word):
        return super().logprob(context + word, word)


class Shuffled(WordModel):
    """Returns the options of a batch in the wrong order."""

    async def loglikelihood(self, request):
        response = await super().loglikelihood(request)
        return replace(response, options=response.options[::-1][1:] + response.options[:1])


class Constant(WordModel):
    def logprob(self, context, word):
        return 0.0 if word == " the" else -3.0


class NotNumbers(WordModel):
    def logprob(self, context, word):
        return math.nan


class Positive(WordModel):
    def logprob(self, context, word):
        return 2.0


class TooFew(WordModel):
    async def loglikelihood(self, request):
        return Response(options=())


class IgnoresStops(WordModel):
    def stopped(self, text, stops):
        return Response(text=text, finish=FinishReason.LENGTH)


class KeepsTheStop(WordModel):
    def stopped(self, text, stops):
        stop = next((stop for stop in stops if stop in text), None)
        return Response(text=text.split(stop)[0] + stop if stop else text, stop=stop)


class NamesNoStop(WordModel):
    def stopped(self, text, stops):
        return replace(super().stopped(text, stops), stop=None)


class Fickle(WordModel):
    def stopped(self, text, stops):
        return super().stopped(f"{text} ({self.calls})", stops)


class Silent(WordModel):
    def stopped(self, text, stops):
        return Response(finish=FinishReason.LENGTH)


class Down(WordModel):
    async def generate(self, request):
        return Response(failure=Failure(FailureKind.CONNECTION, "connection refused"))


class TwoBeginnings(WordModel):
    def beginnings(self, given):
        return 1 if isinstance(given, str) else 2


class WritesOnly(WordModel):
    capabilities = Capabilities(loglikelihood=False)


class Echoes(WordModel):
    """An engine with its own check, not trusted before."""

    def __init__(self):
        super().__init__()
        self.capabilities = Capabilities(loglikelihood=False)

    async def probe_loglikelihood(self):
        self.capabilities = Capabilities(loglikelihood=True)


def report(model, ask, **more):
    return asyncio.run(probe(model, ask=ask, **more))


def refusal(model, ask, **more):
    with pytest.raises(ModelError) as caught:
        report(model, ask, **more)
    return str(caught.value)


def test_an_honest_model_passes_with_its_evidence_in_few_calls():
    model = WordModel()
    seen = report(model, "loglikelihood")
    assert [(w.token, round(w.logprob, 3)) for w in seen.written] == [
        (" Paris", round(math.log(0.8), 3)),
        (" five", round(math.log(0.9), 3)),
        (" Friday", round(math.log(0.9), 3)),
    ]
    assert all(w.other < w.logprob for w in seen.written)
    assert seen.calls == model.calls < 8


@pytest.mark.parametrize(
    ("model", "says"),
    [
        (OffByOne, "not the log-probabilities of the tokens asked for"),
        (Shuffled, "as the first option of a request"),
        (Constant, "not the log-probabilities of the tokens asked for"),
        (NotNumbers, "came back as the log-probabilities"),
        (Positive, "came back as the log-probabilities"),
        (TooFew, "came back as the log-probabilities of 10 continuations"),
        (WritesOnly, "gives no log-probabilities of given texts"),
        (Down, "did not answer a probe: connection refused (connection)"),
    ],
)
def test_log_probabilities_that_cannot_be_trusted_are_refused(model, says):
    assert says in refusal(model(), "loglikelihood")


def test_stops_and_repetition_are_reported():
    model = WordModel()
    seen = report(model, "generate")
    assert (seen.stops, seen.same_twice, seen.calls) == ("work", 1.0, model.calls)
    assert model.calls < 8


@pytest.mark.parametrize("model", [IgnoresStops, KeepsTheStop])
def test_a_model_that_writes_through_a_stop_string_is_refused(model):
    assert "ignores stop strings" in refusal(model(), "generate")


def test_what_is_no_fault_is_only_recorded():
    assert report(NamesNoStop(), "generate").stops == "work, without being named"
    assert report(Fickle(), "generate").same_twice == 0.0
    assert report(Silent(), "generate").stops.startswith("not shown")


def test_a_model_that_does_not_answer_is_refused_before_scoring():
    assert "connection refused" in refusal(Down(), "generate")


@pytest.mark.parametrize("ask", ["generate", "loglikelihood"])
def test_two_beginnings_of_text_are_refused(ask):
    assert "2 beginning-of-text tokens" in refusal(TwoBeginnings(), ask)


def test_images_need_a_model_that_sees():
    assert "takes no images" in refusal(WordModel(), "generate", images=True)


def test_an_engine_with_a_check_of_its_own_is_believed_after_it():
    assert report(Echoes(), "loglikelihood").calls == 0


def test_a_report_is_plain_json():
    for ask in ("generate", "loglikelihood"):
        assert json.loads(json.dumps(asdict(report(WordModel(), ask))))["ask"] == ask


def test_a_recorded_file_is_only_asked_what_it_holds(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "output": "x"}\n')

    async def go(ask):
        async with open_model(f"recorded:{path}") as model:
            return await probe(model, ask=ask)

    assert asyncio.run(go("generate")).calls == 0
    with pytest.raises(ModelError, match="a column `logprobs`"):
        asyncio.run(go("loglikelihood"))


@pytest.mark.model
def test_a_real_model_passes_and_its_off_by_one_double_is_refused(smollm2_path):
    pytest.importorskip("xllamacpp")

    class Double:
        def __init__(self, model):
            self.model = model

        def __getattr__(self, name):
            return getattr(self.model, name)

        async def loglikelihood(self, request):
            options = []
            for text in request.continuations:
                shifted = Loglikelihood(request.key, request.input + text, (text,))
                options += (await self.model.loglikelihood(shifted)).options
            return Response(options=tuple(options))

    async def go():
        settings = {"threads": "1", "context_length": "512"}
        async with open_model(f"gguf:{smollm2_path}", settings) as model:
            scored = await probe(model, ask="loglikelihood")
            wrote = await probe(model, ask="generate")
            with pytest.raises(ModelError, match="not the log-probabilities of the tokens"):
                await probe(Double(model), ask="loglikelihood")
            return scored, wrote

    scored, wrote = asyncio.run(go())
    assert scored.written[0].token == " Paris"
    assert scored.written[0].logprob > scored.written[0].other + 3
    assert (wrote.stops, wrote.same_twice, wrote.beginnings) == ("work", 1.0, 0)


def test_generation_requests_of_the_probe_are_small():
    sizes = []

    class Watched(WordModel):
        async def generate(self, request: Generate):
            sizes.append(request.generation.max_tokens)
            return await super().generate(request)

    report(Watched(), "generate")
    report(Watched(), "loglikelihood")
    assert max(sizes) <= 16
