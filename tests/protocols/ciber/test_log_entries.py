"""Entries of a log."""

from __future__ import annotations

from mobilesim_py.protocols.ciber import Actions, LogRobot, Measures, RobotView, Scores, log_entry

VIEW = RobotView("n", 1, 5, Scores(-10, 5, 0, 1, True, "0"), "Running", 9.05, 3.0, 0.0)
MEASURES = Measures(5, collision=True, compass=0, ground=-1)


def action_of(received):
    lines = log_entry(5, [LogRobot(VIEW, received, MEASURES)]).splitlines()
    return [line for line in lines if "<Action" in line]


def test_an_entry_has_pose_scores_and_measures():
    entry = log_entry(5, [LogRobot(VIEW, None, MEASURES)])
    assert entry.startswith(
        '<LogInfo Time="5">\n\t<Robot Name="n" Id="1" State="Running">\n\t\t<Pos X="9.05" Y="3" Dir="0"/>\n'
        '\t\t<Scores Score="4294967286" ArrivalTime="5" ReturningTime="0" Collisions="1" Collision="True" VisitedMask="0"/>\n'
        '<Measures Time="5">\n'
    )
    assert entry.endswith("</Measures>\n\t</Robot>\n</LogInfo>\n")
    assert action_of(None) == []


def test_actions_are_told_as_far_as_they_came():
    assert action_of(Actions(0.1, 0.15)) == ['\t\t<Action LeftMotor="0.1" RightMotor="0.15" />']
    assert action_of(Actions(end_led=True, returning_led=False, visiting_led=True)) == [
        '\t\t<Action EndLed="On" ReturningLed="Off" VisitingLed="On" />'
    ]


def test_the_visiting_led_alone_and_words_are_no_action():
    assert action_of(Actions(visiting_led=True)) == []
    assert action_of(Actions(say="hello")) == []
