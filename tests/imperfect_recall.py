"""Games of imperfect recall as .efg texts that OpenSpiel accepts: names of outcomes must not be
empty."""

ABSENT_MINDED = """EFG 2 R "" { "driver" "nobody" }
p "" 1 1 "here" { "exit" "go on" } 0
t "" 1 "out" { 0 0 }
p "" 1 1 "here" { "exit" "go on" } 0
t "" 2 "home" { 4 -4 }
t "" 3 "end" { 1 -1 }
"""
FORGETFUL = """EFG 2 R "" { "a" "b" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "later" { "l" "r" } 0
t "" 1 "win" { 1 -1 }
t "" 2 "lose" { -1 1 }
p "" 1 2 "later" { "l" "r" } 0
t "" 2 "lose" { -1 1 }
t "" 1 "win" { 1 -1 }
"""
