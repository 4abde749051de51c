"""The pages of a server: runs, one run, the leaderboard of a key.

They look as reports do. Text of the input goes through the functions that escape it;
what people do on a page, `web/src/serve` does in the browser.

frame          a page around its parts, and the policy that it is sent with
tables         tables whose cells have links and boxes to tick
form           where files are dropped
home, key, run, refusal        one page each
"""

from corefkit.serve.pages.home import home_page
from corefkit.serve.pages.key import key_page
from corefkit.serve.pages.refusal import refusal_page
from corefkit.serve.pages.run import run_page, with_way_back

__all__ = ["home_page", "key_page", "refusal_page", "run_page", "with_way_back"]
