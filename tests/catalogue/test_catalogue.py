"""Looking models up: ours, the user's, and parameter files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mobilesim_py.catalogue.catalogue import Catalogue, models_file
from mobilesim_py.errors import ExitCode, ModelError, ParameterFileError, WorldfileError
from mobilesim_py.resources import models_dir

UserCatalogue = Callable[..., Catalogue]

NOISELESS = """
define quiet laser ( range_max 32.767 samples 181 fov 180.0 size [0.155 0.15] noise 0 reading_angle_error 0 )
define p3dx-sh-quiet pioneer (
  pioneer_robot_subtype "p3dx-sh"
  ranger ( sview [0.1 5.0 30] noise 0 projection_type "single" scount 1 spose[0] [0.069 0.136 90] )
  quiet( pose [0 0 0] )
)
"""


def test_a_model_is_built_once(catalogue: Catalogue) -> None:
    assert catalogue.find("p3dx") is catalogue.find("p3dx")


def test_names_are_robots_and_boxes_only(catalogue: Catalogue) -> None:
    names = catalogue.names()
    assert {"pioneer", "p3dx", "box"} <= set(names)
    assert not {"sicklms200", "pioneerSonar", "p3at-body"} & set(names)


def test_an_unknown_model_suggests_the_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(ModelError, match=r"no robot model 'p3dxs'. Did you mean .*p3dx") as caught:
        catalogue.find("p3dxs")
    assert caught.value.exit_code == ExitCode.USAGE


def test_capitals_do_not_hide_the_suggestion(catalogue: Catalogue) -> None:
    with pytest.raises(ModelError, match="Did you mean p3dx"):
        catalogue.find("P3DX")


def test_a_sensor_is_not_a_robot(catalogue: Catalogue) -> None:
    with pytest.raises(ModelError, match=r"'sicklms200' .*cannot be a robot"):
        catalogue.find("sicklms200")


def test_the_users_definitions_are_based_on_ours(user_catalogue: UserCatalogue) -> None:
    model = user_catalogue(mine="define mybot p3dx-sh ( max_speed [0.3 0 1] )").find("mybot")
    assert (model.pioneer.subclass, model.drive.max_speed.forward, len(model.sonar.transducers)) == ("p3dx-sh", 0.3, 16)


def test_the_users_definition_takes_the_place_of_ours(user_catalogue: UserCatalogue) -> None:
    catalogue = user_catalogue(mine='define p3dx p3dx ( color "pink" )')
    assert (catalogue.find("p3dx").body.colour, catalogue.find("p3dx-no-error").body.colour) == ("pink", "pink")


def test_noise_can_be_switched_off(user_catalogue: UserCatalogue) -> None:
    model = user_catalogue(noiseless=NOISELESS).find("p3dx-sh-quiet")
    assert (model.sonar.noise, model.lasers[0].range_noise, model.lasers[0].angle_noise) == (0, 0, 0)


def test_the_users_files_see_each_other(user_catalogue: UserCatalogue) -> None:
    catalogue = user_catalogue(a="define one two ( )", b='define two p3dx ( color "pink" )')
    assert catalogue.find("one").body.colour == "pink"


def test_the_users_files_may_include_ours(user_catalogue: UserCatalogue) -> None:
    catalogue = user_catalogue(a='include "lasers.inc"\ndefine mybot p3dx-nolaser ( urg ( ) )')
    assert catalogue.find("mybot").lasers[0].name == "urg"


def test_dot_files_and_directories_are_not_read(tmp_path: Path) -> None:
    (tmp_path / ".hidden").write_text("(((")
    (tmp_path / "folder").mkdir()
    Catalogue.load(user_include=tmp_path, cwd=tmp_path, environ={})


def test_a_broken_file_of_the_users_is_named(user_catalogue: UserCatalogue) -> None:
    with pytest.raises(WorldfileError, match=r"broken\.inc:2: ") as caught:
        user_catalogue(broken="\ndefine (")
    assert caught.value.exit_code == ExitCode.WORLDFILE


def test_a_base_that_does_not_exist_is_named(user_catalogue: UserCatalogue) -> None:
    catalogue = user_catalogue(mine="\ndefine mybot nosuch ( )")
    with pytest.raises(ModelError, match=r"'mybot' .*mine\.inc:2.* is based on 'nosuch'"):
        catalogue.find("mybot")


def test_the_home_directory_has_the_users_files(tmp_path: Path) -> None:
    include = tmp_path / ".MobileSim" / "include"
    include.mkdir(parents=True)
    (include / "a.inc").write_text("define mybot p3dx ( )")
    catalogue = Catalogue.load(cwd=tmp_path, environ={"HOME": str(tmp_path)})
    assert "mybot" in catalogue.names()


@pytest.mark.parametrize("folder", ["models", "."])
def test_the_resource_directory_has_its_own_models(tmp_path: Path, folder: str) -> None:
    (tmp_path / folder).mkdir(exist_ok=True)
    (tmp_path / folder / "PioneerRobotModels.world.inc").write_text("define only position ( )")
    environ = {"MOBILESIM": str(tmp_path), "HOME": str(tmp_path)}
    assert Catalogue.load(cwd=tmp_path, environ=environ).names() == ["only"]


def test_a_resource_directory_without_models_leaves_ours(tmp_path: Path) -> None:
    assert models_file(environ={"MOBILESIM": str(tmp_path)}).parent == models_dir()


PARAMETERS = "Section General settings\nClass Pioneer\nSubclass custom\n"


def test_a_parameter_file_is_looked_for_in_the_current_directory(tmp_path: Path) -> None:
    (tmp_path / "custom.p").write_text(PARAMETERS)
    model = Catalogue.load(user_include=tmp_path / "no", cwd=tmp_path, environ={}).find("custom.p")
    assert (model.name, model.pioneer.subclass) == ("custom", "custom")


def test_a_parameter_file_is_then_looked_for_in_aria(tmp_path: Path) -> None:
    (tmp_path / "params").mkdir()
    (tmp_path / "params" / "custom.p").write_text(PARAMETERS)
    environ = {"ARIA": str(tmp_path)}
    assert Catalogue.load(user_include=tmp_path / "no", cwd=tmp_path, environ=environ).find("custom.p").name == "custom"


def test_a_missing_parameter_file_says_where_it_was_looked_for(catalogue: Catalogue) -> None:
    with pytest.raises(ParameterFileError, match=r"no parameter file 'no\.p' \(looked for .*ARIA") as caught:
        catalogue.find("no.p")
    assert caught.value.exit_code == ExitCode.PARAMETER_FILE
