"""Studies read from TOML, and what is wrong with them."""

from __future__ import annotations

import re
import tomllib

import pytest
from resolver.experiment.made import TOML
from shared_files import DATA

from cistell.paper.features import choose_features
from cistell.studies.study import STUDIES, PartFiles, load_study, study_from
from corefkit.exceptions import CorefkitError, FormatError, SettingsError


@pytest.mark.parametrize("name", STUDIES)
def test_study_of_the_paper_is_whole(name):
    study = load_study(name)
    assert study.learners == ("ib1", "logistic")
    assert len(study.settings) >= 2
    for setting in study.settings:
        assert setting.optional or len(setting.paths()) >= 2
        for variant in setting.variants:
            choose_features(setting.language, without=variant.without)


@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.skipif(not DATA.exists(), reason="the shared corpora are absent")
def test_study_of_the_paper_finds_its_files(name):
    for setting in load_study(name).settings:
        for path in setting.paths():
            assert setting.optional or (DATA / path).is_file(), path


def test_study_reads_what_its_file_says():
    study = study_from(tomllib.loads(TOML))
    first, second, third = study.settings
    assert study.learners == ("ib1", "logistic")
    assert first.train == PartFiles("tales-train.conllu")
    assert first.variants[0].train_share == 0.34
    assert second.scheme == "ace"
    assert third.optional == "write some"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('title = "Stories"', 'titel = "Stories"', "key 'titel', which is unknown"),
        ('about = "Stories of two kinds."', "", "has no 'about'"),
        ('language = "es"', "", "[[setting]] has no 'language'"),
        ('scheme = "ace"', 'scheme = "acme"', "unknown scheme 'acme'"),
        ('paper = "table-5-ace"', 'paper = "table-9"', "no table 'table-9'"),
        ('language = "es"', 'language = "xx"', "unsupported language 'xx'"),
        ('learners = ["ib1",', 'learners = ["knn",', "no learner 'knn'"),
        (
            'scheme = "ace"',
            'learners = ["knn"]',
            "no learner of the study 'knn'",
        ),
        ('name = "typed"', 'name = "tales"', "'tales' is there twice"),
        ('name = "typed"', 'name = "a/b"', "'a/b' cannot name files"),
        ("train_share = 0.34", "train_share = 1.5", "expected a share up to 1"),
        ('entities = "tales-test.conllu"', "", "[setting.test] has no 'entities'"),
        ('optional = "write some"', 'preprocessing = "x"', "no preprocessing 'x'"),
    ],
)
def test_study_refuses_what_it_does_not_know(tmp_path, before, after, message):
    path = tmp_path / "my.toml"
    assert before in TOML
    path.write_text(TOML.replace(before, after, 1), "utf-8")
    with pytest.raises(SettingsError, match=re.escape(message)) as error:
        load_study(str(path))
    assert error.value.place == str(path)


def test_study_without_settings_is_refused():
    with pytest.raises(SettingsError, match="no \\[\\[setting\\]\\]"):
        study_from({"title": "t", "about": "a"})


def test_unknown_study_is_named_with_those_that_there_are():
    with pytest.raises(SettingsError, match="no study 'languages'") as error:
        load_study("languages")
    assert "did you mean 'language'" in str(error.value.hint)


def test_study_that_is_no_toml_is_told(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text("title = ", "utf-8")
    with pytest.raises(FormatError, match="is not TOML"):
        load_study(str(path))
    with pytest.raises(CorefkitError, match="cannot be read"):
        load_study(str(tmp_path / "none.toml"))
