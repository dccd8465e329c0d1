"""The public names, one line each: also read at run time (`seqform.base.lazy`)."""

from seqform.drawing.bipartite import draw_nodes_compared as draw_nodes_compared
from seqform.drawing.compared import draw_comparison as draw_comparison
from seqform.drawing.convergence import draw_convergence as draw_convergence
from seqform.drawing.draw import draw_tree as draw_tree
from seqform.drawing.drawn_tree import DrawnNode as DrawnNode
from seqform.drawing.drawn_tree import DrawnTree as DrawnTree
from seqform.drawing.figure import ORIENTATIONS as ORIENTATIONS
from seqform.drawing.figure import check_path as check_path
from seqform.drawing.figure import draw_figure as draw_figure
from seqform.drawing.figure import save_figure as save_figure
from seqform.drawing.figure import save_picture as save_picture
from seqform.drawing.figure import to_svg as to_svg
from seqform.drawing.regions import draw_regions as draw_regions
from seqform.drawing.stage_graph import draw_stages as draw_stages
from seqform.drawing.stage_graph import stages_text as stages_text
from seqform.drawing.text import draw_text as draw_text
