"""Solvers of the generated long contexts. Each reads the prompt as it is sent and nothing else."""

import json
import re
from collections import Counter

LANDMARKS = {
    "Agra": "Taj Mahal",
    "Athens": "Parthenon",
    "Barcelona": "Sagrada Familia",
    "Beijing": "Forbidden City",
    "Berlin": "Brandenburg Gate",
    "Cairo": "Sphinx",
    "Cape Town": "Table Mountain",
    "Copenhagen": "Little Mermaid",
    "Dubai": "Burj Khalifa",
    "Istanbul": "Hagia Sophia",
    "London": "Big Ben",
    "Moscow": "Kremlin",
    "Paris": "Eiffel Tower",
    "Prague": "Charles Bridge",
    "Rome": "Colosseum",
    "San Francisco": "Golden Gate Bridge",
}


def needle(prompt: str) -> str:
    question = prompt.splitlines()[-1]
    if city := re.search(r"works in ([A-Z][\w ]+)\?", question):
        (name,) = re.findall(rf"(\w+) keeps a small shop beside [^.]*{LANDMARKS[city[1]]}", prompt)
        return str(name)
    found = []
    for owner in re.findall(r"of the (\w+ \w+)", question):
        found += re.findall(rf"access number of the {owner} is (\d+)\.", prompt)
    return " and ".join(found)


def kv_retrieval(prompt: str) -> str:
    text, _, key = prompt.rpartition("\n\nKey: ")
    value = json.loads(text[text.index("{") :])[key.split('"')[1]]
    return f"It is {value}."


def variable_tracking(prompt: str) -> str:
    wanted = re.findall(r"hold the value (\d+)", prompt)[-1]
    values: dict[str, str] = {}
    for name, number, other in re.findall(r"VAR (\w+) = (?:(\d+)|VAR (\w+))\.", prompt):
        values[name] = number or values[other]
    return ", ".join(name for name, value in values.items() if value == wanted)


def common_words(prompt: str) -> str:
    words, question = prompt.split("\n\n")[1:]
    number = re.search(r"Which (\d+) words", question)
    return ", ".join(word for word, _ in Counter(words.split()).most_common(int(number[1]) if number else 1))


def long_reasoning(prompt: str) -> str:
    text, question = prompt.split("\n\n")[-2:]
    at: dict[str, str] = {}
    holder: dict[str, str] = {}
    trail: dict[str, list[str]] = {}
    go = r"(?P<goer>[A-Z]\w+) (?:walked|went over|hurried|moved) to the (?P<place>\w+)\."
    take = r"(?P<taker>[A-Z]\w+) (?:picked up|took|got hold of) the (?P<taken>\w+)(?: there)?\."
    leave = r"(?P<leaver>[A-Z]\w+) (?:put down|left|let go of) the (?P<left>\w+)(?: there)?\."
    for event in re.finditer(f"{go}|{take}|{leave}", text):
        if event["goer"]:
            at[event["goer"]] = event["place"]
            for thing in [each for each, person in holder.items() if person == event["goer"]]:
                trail[thing].append(event["place"])
        elif event["taker"]:
            holder[event["taken"]] = event["taker"]
            places = trail.setdefault(event["taken"], [])
            if places[-1:] != [at[event["taker"]]]:
                places.append(at[event["taker"]])
        else:
            del holder[event["left"]]
    if before := re.search(r"Where was the (\w+) before it was in the (\w+)\?", question):
        places = trail[before[1]]
        return places[places.index(before[2]) - 1]
    if thing := re.search(r"Where is the (\w+)\?", question):
        return f"The {thing[1]} is in the {trail[thing[1]][-1]}."
    person = re.search(r"Where is (\w+)\?", question)
    assert person is not None
    return f"{person[1]} is in the {at[person[1]]}."
