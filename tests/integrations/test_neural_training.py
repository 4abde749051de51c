"""Training of a resolver from a tiny random encoder."""

from __future__ import annotations

import json

import numpy as np
import pytest

import corefkit
from cistell.neural import NeuralResolver
from cistell.neural.tokenization import write_text
from corefkit import FormatError
from corefkit.example import trees

pytestmark = pytest.mark.integration
torch = pytest.importorskip("torch", reason="needs torch")

from cistell.neural import training  # noqa: E402
from cistell.neural.training import TrainingOptions, train  # noqa: E402

WIDTH, LAYERS = 16, 2
CONFIG = {
    "model_type": "bert",
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 128,
    "layer_norm_eps": 1e-12,
}
OPTIONS = TrainingOptions(epochs=3, window=48, margin=4)


def draw_weights(words):
    """Return random weights of a BERT encoder by the names of Hugging Face."""
    shapes = {
        "embeddings.word_embeddings.weight": (words, WIDTH),
        "embeddings.position_embeddings.weight": (128, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for layer in range(LAYERS):
        sizes = {
            "attention.self.query": (WIDTH, WIDTH),
            "attention.self.key": (WIDTH, WIDTH),
            "attention.self.value": (WIDTH, WIDTH),
            "attention.output.dense": (WIDTH, WIDTH),
            "attention.output.LayerNorm": (WIDTH,),
            "intermediate.dense": (32, WIDTH),
            "output.dense": (WIDTH, 32),
            "output.LayerNorm": (WIDTH,),
        }
        for name, shape in sizes.items():
            path = f"encoder.layer.{layer}.{name}"
            shapes |= {f"{path}.weight": shape, f"{path}.bias": shape[:1]}
    random = np.random.default_rng(0)
    return {
        name: random.normal(int("LayerNorm.weight" in name), 0.3, shape).astype("f")
        for name, shape in shapes.items()
    }


def write_safetensors(path, weights):
    header, bodies, offset = {"__metadata__": {"format": "pt"}}, [], 0
    for name, array in weights.items():
        end = offset + array.nbytes
        header[name] = {
            "dtype": "F32",
            "shape": array.shape,
            "data_offsets": [offset, end],
        }
        bodies.append(array.tobytes())
        offset = end
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(bodies))


@pytest.fixture
def documents():
    return list(corefkit.read(trees()))


@pytest.fixture
def encoder(tmp_path, documents):
    folder = tmp_path / "encoder"
    folder.mkdir()
    words = sorted({word.lower() for d in documents for word in d.tokens})
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    config = CONFIG | {"vocab_size": len(vocabulary)}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n")
    weights = draw_weights(len(vocabulary))
    named = {f"bert.{name}": array for name, array in weights.items()}
    write_safetensors(folder / "model.safetensors", named)
    return folder


@pytest.fixture
def corpus(tmp_path, documents):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for part in ("train", "dev", "test"):
        corefkit.write(documents, folder / f"tales-{part}.conllu")
    return folder


def test_training_lowers_all_losses(corpus, encoder):
    options = TrainingOptions(epochs=30, window=48, margin=4, rate=3e-3)
    lines = []
    resolver, report = train(
        corpus, encoder=encoder, options=options, progress=lines.append
    )
    assert isinstance(resolver, NeuralResolver)
    first, last = report["losses"][0], report["losses"][-1]
    assert all(last[name] < first[name] for name in ("mentions", "links", "tags"))
    assert report["options"]["epochs"] == 30
    assert report["test"].keys() == {
        *("exact", "exact, no singletons", "heads, no singletons")
    }
    assert len(lines) == 32


def test_the_same_seed_makes_the_same_model(corpus, encoder, tmp_path):
    for name in "ab":
        train(corpus, encoder=encoder, options=OPTIONS)[0].save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_interrupted_training_goes_on(corpus, encoder, tmp_path):
    whole, _ = train(corpus, encoder=encoder, options=OPTIONS)

    def interrupt(line):
        if line.startswith("epoch 2"):
            raise KeyboardInterrupt

    checkpoint = tmp_path / "checkpoint"
    with pytest.raises(KeyboardInterrupt):
        train(
            corpus,
            encoder=encoder,
            options=OPTIONS,
            checkpoint=checkpoint,
            progress=interrupt,
        )
    assert checkpoint.exists()
    again, _ = train(corpus, encoder=encoder, options=OPTIONS, checkpoint=checkpoint)
    assert not checkpoint.exists()
    for name, array in whole.network.weights.items():
        np.testing.assert_allclose(again.network.weights[name], array, atol=1e-6)


def test_links_alone_are_learned_from_partly_annotated_documents(corpus, encoder):
    _, report = train(
        corpus,
        encoder=encoder,
        links=[corpus / "tales-dev.conllu"],
        options=TrainingOptions(epochs=1, window=48, margin=4),
    )
    assert report["losses"][0]["links"] > 0


def test_pytorch_weights_are_read_too(encoder):
    config, weights, tokenizer = training.read_encoder(encoder)
    path = encoder / "model.safetensors"
    torch.save(
        {f"bert.{n}": w for n, w in weights.items()}, encoder / "pytorch_model.bin"
    )
    path.unlink()
    again = training.read_encoder(encoder)
    assert again[0] == config
    assert all(torch.equal(again[1][name], weights[name]) for name in weights)
    assert again[2].vocabulary == tokenizer.vocabulary


@pytest.mark.parametrize("change", [{"model_type": "roberta"}, None])
def test_other_folders_are_rejected(encoder, change):
    path = encoder / "config.json"
    if change is None:
        path.unlink()
    else:
        path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(FormatError) as caught:
        training.read_encoder(encoder)
    assert caught.value.code in ("model/unsupported", "model/missing-part")


def test_numpy_and_pytorch_compute_the_same(documents, encoder):
    """The network in NumPy is the trained one, in evaluation."""
    config, weights, tokenizer = training.read_encoder(encoder)
    reader = training.ExampleReader(tokenizer)
    options = TrainingOptions(window=124, margin=0, masking=0.0)
    lexicon = training.AgreementLexicon.from_dict(training.read_word_lists())
    network = training.TrainedNetwork(config, options, reader, lexicon)
    training.copy_encoder(network, weights)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += 0.1 * torch.randn_like(parameter)
    network.eval()
    sizes = training.NetworkSizes(heads=2, window=10**4, margin=0)
    numpy = training.Network(network.export_weights(), sizes)
    text = tokenizer.tokenize(write_text(documents[0])[0])
    expected = numpy.encode(text, tokenizer)
    network.random = np.random.Generator(np.random.SFC64(1))
    with torch.no_grad():
        vectors = network._encode(text).numpy()
    assert len(text.pieces) < 84  # one window, whatever its random size
    np.testing.assert_allclose(vectors, expected, atol=1e-4)
