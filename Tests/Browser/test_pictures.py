"""The pictures of the documentation can be made, and are small enough to be read with it."""

import pictures


def test_the_pictures_of_the_documentation(browser, tmp_path):
    pictures.make(browser, tmp_path)
    made = {path.name for path in tmp_path.iterdir()}
    kept = {path.name for path in pictures.FOLDER.iterdir()}
    assert made <= kept
    assert all((pictures.FOLDER / name).stat().st_size <= pictures.LARGEST for name in made)
