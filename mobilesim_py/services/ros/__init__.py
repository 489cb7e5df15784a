"""Robots as ROS robots: one table of topics, services and actions, bound to the robots that are there, for all carriers.

rows.py       what a row of the table is                        table.py      the rows themselves
hub.py        the rows bound to robots: names, frames           carrier.py    what carries them: ROS 1, rosbridge, others
service.py    the `Service` of the program                      goals.py      goals of actions, and who pursues them
"""
