"""Prints the table of payments, or of their users. Usage: payments.py users|payments"""
import random
import sys

draw = random.Random(4)
if sys.argv[1] == "users":
    print("id,age")
    for i in range(30):
        print(f"u{i},{draw.randint(18, 80)}")
else:
    print("payer,payee,amount,kind,day,fraud")
    for i in range(200):
        month = draw.randint(1, 12)
        kind = draw.choice(["card", "cash"]) if month < 10 else draw.choice(["card", "cash", "coin"])
        day = "" if i % 41 == 7 else f"2024-{month:02}-{draw.randint(1, 28):02}"
        amount = "" if i % 17 == 3 else f"{draw.uniform(1, 99):.2f}"
        print(f"u{draw.randint(0, 29)},u{draw.randint(0, 29)},{amount},{kind},{day},{draw.choice(['no', 'no', 'yes', ''])}")
