"""How do other people's algorithms play games of the rules? In OpenSpiel, and as environments of PettingZoo and Gymnasium."""
