"""Run an engine until its average plans are good enough, and keep the best of them."""

from __future__ import annotations

import logging
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, isnan, log, log1p
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from seqform.base.contract import whole
from seqform.base.deadline import overtime
from seqform.base.errors import OutOfTimeError
from seqform.base.interrupt import Interrupt
from seqform.base.summary import counted
from seqform.form.joint_play import JointPlay

if TYPE_CHECKING:
    from seqform.form.profile import Profile
    from seqform.form.sequence_form import SequenceForm

logger = logging.getLogger(__name__)

FINEST = 1.02
"""Looks at the gap are after some of the numbers of iterations that grow by this factor from 1, or
by one."""

FALLING = 2.0
"""A gap seldom falls faster than the number of iterations to the power of minus this, so until it
could have come down as far as is asked for nothing is looked at. A look costs about half of an
iteration, or more."""

SOON, STEADY, STEP = 0.5, 0.1, 25
"""But between two looks the number of iterations grows by at most the first share and, after some
time, by at most the second one or by so many, whichever is more: people watch the gap, and searches
are saved where it is looked at."""

SLICE_SECONDS = 0.5
"""Seconds between two checks of the time; there is at most one check an iteration."""

WORTH_KEEPING, KEPT_FROM = 0.5, 100
"""Plans are put aside when the gap has fallen to this share of what it was for the ones kept last,
since gaps are not monotone; after the first ones, from so many iterations on. Putting them aside
takes as long as several iterations."""

PATIENCE = 4
"""A gap that has hardly shrunk while the number of iterations grew by this factor has come down to
rounding errors, or will not come down in any time."""

SHRUNK = 0.99
"""A gap is smaller if it is at most this share of what it was."""

Plans = tuple[NDArray[Any], ...]
"""What an engine keeps of average plans; `Engine.profile` makes a profile of it."""


class Engine(Protocol):
    """Something that improves average plans, iteration by iteration.

    An engine inherits from here what it says nothing about. One that does not inherit gets that
    where a search begins.
    """

    name: str
    """What it works by, such as ``treeplex``; a part of the label of results."""

    iterations: int
    """How many it has made."""

    bounds_value: bool = True
    """Whether `bounds` are of the value of the game; else they are 0 and the nash_gap."""

    single: bool = False
    """Whether its plans have the digits of single precision only. Then the answer is rounded to
    these, which takes half the space."""

    @abstractmethod
    def run(self, count: int) -> None:
        """Make `count` more iterations."""

    @abstractmethod
    def plans(self) -> Plans:
        """Return the average plans so far, in arrays of their own.

        They are float64 (num_sequences,) for each player, unless `profile` takes something else.
        """

    def last_plans(self) -> Plans:
        """Return the same where no iteration follows; they may be the arrays at work."""
        return self.plans()

    def finish(self) -> None:
        """Give up what only further iterations, `bounds` and `state` need.

        Plans that were returned are not touched.
        """
        return

    def profile(self, form: SequenceForm, plans: Plans, rounded: bool) -> Profile:
        """Return the profile of a game that plays by what `plans` returned.

        Parameters
        ----------
        rounded
            Whether to round probabilities to the digits of single precision.
        """
        profile = form.profile_of_plans(plans)
        return profile.rounded(form.treeplexes) if rounded else profile

    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """Return what the average plans guarantee, as the engine computes it: no certificate.

        If `bounds_value` is false: 0 and the nash_gap.
        """

    @abstractmethod
    def state(self) -> dict[str, NDArray[Any]]:
        """Return the arrays from which `restore` goes on.

        They are those at work: copy them to keep them while the engine runs.
        """

    @abstractmethod
    def restore(self, state: dict[str, NDArray[Any]], iterations: int) -> None:
        """Go on from what `state` returned after so many iterations."""

    def order(self) -> Iterator[bytes]:
        """Yield what the numbers of `state` are of, where the game does not say it."""
        return iter(())

    def remark(self) -> str:
        """Return what there is to say of the average plans beside their gap; "" for nothing."""
        return ""

    def joint_play(self) -> JointPlay | None:
        """Return all iterations as one play of which something can be proven; None if nothing."""
        return None


@dataclass(frozen=True)
class Limits:
    """When to stop: at a gap, after so many iterations, or at a time.

    The gap is in the game's unit, the time of `time.perf_counter`.
    """

    gap: float
    iterations: float = float("inf")
    deadline: float = float("inf")


@dataclass(frozen=True)
class Progress:
    """How far an engine has come towards the gap `aim`.

    `lower` and `upper` are its own claim, in the game's unit; of the value of the game, or
    (`bounds_value` is false) 0 and the nash_gap. `after` is how many seconds it takes to certify
    the answer once there is one, by an estimate; 0 if nobody has made one.
    """

    iterations: int
    seconds: float
    lower: float
    upper: float
    aim: float
    bounds_value: bool = True
    after: float = 0.0

    @property
    def gap(self) -> float:
        """The width of the claimed interval."""
        return self.upper - self.lower

    def until_look(self, seconds: float) -> float:
        """Return the seconds until the gap is looked at first after so many seconds.

        A search ends when it looks, and it looks ever more rarely. 0 if `seconds` is not above
        0: it looks now.
        """
        if seconds <= 0 or seconds == inf:
            return max(0.0, seconds)
        rate = self.iterations / max(self.seconds, 1e-9)
        left = log(self.gap / self.aim) if self.gap > self.aim > 0 else 0.0
        falling = left / log1p(seconds / max(self.seconds, 1e-9)) if left else 0.0
        look = self.iterations
        while (look - self.iterations) / rate < seconds:
            gap = self.gap * (self.iterations / look) ** falling
            look = next_look(look, gap, self.aim)
        return (look - self.iterations) / rate

    def __str__(self) -> str:
        rate = self.iterations / max(self.seconds, 1e-9)
        value = f", value in [{self.lower:.6f}, {self.upper:.6f}]" if self.bounds_value else ""
        count = counted(self.iterations, "iteration")
        return f"{count}, {rate:.0f} a second, gap {self.gap:.3g}{value}"


@dataclass(frozen=True)
class Kept:
    """Plans that were put aside: what the engine claimed for them, and when."""

    gap: float
    iterations: int
    plans: Plans


@dataclass
class NextLook:
    """After how many iterations a search will look at its gap; 0 if nothing is known yet.

    It is told by the look before, so it is the same one if the search is interrupted in between.
    """

    at: int = 0

    def after(self, iterations: int, gap: float, aim: float) -> None:
        """Tell the next one, unless it is still to come."""
        if iterations >= self.at:
            self.at = next_look(iterations, gap, aim)


class Saver(Protocol):
    """Something that writes searches down (`seqform.solvers.iterative.checkpoint`).

    `look` is kept with the search.
    """

    look: NextLook

    def save(self, engine: Engine, kept: Kept | None, force: bool = False) -> None:
        """Write the search down if it is time to, or in any case if `force`."""


class Look(NamedTuple):
    """A gap that an engine claimed on its way: after how many iterations, and seconds."""

    iterations: int
    seconds: float
    gap: float


@dataclass(frozen=True)
class Found:
    """The best plans of a search, and what the engine claims for them.

    `reached` says whether that is the gap asked for, `stalled` whether it is all there is to get.

    `interrupted` says that the user stopped the search. `history` has all looks at the gap since
    the search was started, or gone on with.
    """

    plans: Plans
    gap: float
    iterations: int
    reached: bool
    stalled: bool
    interrupted: bool = False
    history: tuple[Look, ...] = ()


def progress(
    engine: Engine,
    limits: Limits,
    stop: Callable[[], bool] = lambda: False,
    gap: float = inf,
    look: NextLook | None = None,
) -> Iterator[Progress]:
    """Run an engine, and yield how far it has come, until a limit other than the gap.

    The distances between two values grow, and are shorter near the gap asked for. `gap` is the one
    that the engine has come to before; and `look`, which is kept up to date, may say when it was to
    be looked at next.

    Between two values the engine may be looked at, saved, or handed to another loop. Whether to
    `stop` is asked at least as often as the clock.
    """
    start, engine, look = time.perf_counter(), whole(engine, Engine), look or NextLook()

    def over() -> bool:
        return stop() or time.perf_counter() >= limits.deadline

    look.after(engine.iterations, gap, limits.gap)
    while engine.iterations < limits.iterations and not over():
        _advance(engine, min(look.at, limits.iterations), over)
        seconds = time.perf_counter() - start
        bounds = engine.bounds()
        now = Progress(engine.iterations, seconds, *bounds, limits.gap, engine.bounds_value)
        look.after(now.iterations, now.gap, limits.gap)
        yield now


def next_look(iterations: int, gap: float, aim: float) -> int:
    """Return after how many iterations to look next at a gap that was `gap` after so many.

    Examples
    --------
    >>> [next_look(100, gap, 1.0) for gap in (9.0, 1.21, 1.0001)]
    [126, 112, 102]
    >>> [next_look(iterations, inf, 1.0) for iterations in (0, 1, 10, 20, 1000)]
    [1, 2, 15, 30, 1120]
    """
    most = min(SOON * iterations, max(STEADY * iterations, STEP))
    if gap <= aim:
        ahead = 0.0
    elif gap < inf and aim > 0:
        ahead = iterations * ((gap / aim) ** (1 / FALLING) - 1)
    else:  # or the gap is no number
        ahead = inf
    wanted, look = iterations + max(min(ahead, most), 1), 1
    while look < wanted:
        look = max(look + 1, int(look * FINEST))
    return look


def _advance(engine: Engine, target: float, over: Callable[[], bool]) -> None:
    """Iterate up to `target` in short slices, or until it is over."""
    size = 1
    while engine.iterations < target and not over():
        began = time.perf_counter()
        engine.run(int(min(size, max(1, target - engine.iterations))))
        took = time.perf_counter() - began
        size = max(1, int(size * min(2.0, SLICE_SECONDS / max(took, 1e-9))))


@dataclass
class _Patience:
    """Tells when a gap has stopped shrinking."""

    best: float = inf
    best_at: int = 0

    def look(self, gap: float, iterations: int) -> bool:
        """See a gap; return whether it has long not been smaller than it was."""
        if gap < SHRUNK * self.best:
            self.best, self.best_at = gap, iterations
        return iterations > 1000 and iterations > PATIENCE * self.best_at


def _gap(engine: Engine) -> float:
    """Return the gap that an engine claims; none before its first iteration."""
    if not engine.iterations:
        return float("inf")
    lower, upper = engine.bounds()
    return upper - lower


def _is_less(gap: float, other: float) -> bool:
    """Tell whether a gap is less than another one, which may be no number."""
    return gap < other or isnan(other)


def search(
    engine: Engine,
    limits: Limits,
    callback: Callable[[Progress], None] | None = None,
    saver: Saver | None = None,
    kept: Kept | None = None,
) -> Found:
    """Run an engine until a limit, or a keyboard interrupt; return the best plans seen.

    Parameters
    ----------
    engine
        What to run; it may have run before.
    limits
        When to stop.
    callback
        Called with the progress of the search.
    saver
        Is given the search now and then, and at the end.
    kept
        The best plans of an earlier part of the search.
    """
    patience = _Patience(kept.gap, kept.iterations) if kept else _Patience()
    gap, look = _gap(engine), NextLook() if saver is None else saver.look
    patience.look(gap, engine.iterations)
    stalled = interrupted = False
    history: list[Look] = []
    try:
        with Interrupt() as interrupt:
            looks = progress(engine, limits, lambda: interrupt.asked, gap, look)
            for now in () if gap <= limits.gap else looks:
                gap = now.gap
                history.append(Look(now.iterations, now.seconds, gap))
                if callback is not None:
                    callback(now)
                if gap <= limits.gap:
                    break
                stalled = patience.look(gap, now.iterations)
                if kept is None or (
                    _is_less(gap, WORTH_KEEPING * kept.gap) and now.iterations >= KEPT_FROM
                ):
                    kept = None  # its memory is free before more is taken
                    kept = Kept(gap, now.iterations, engine.plans())
                if stalled:
                    break
                if saver is not None:
                    saver.save(engine, kept)
            interrupted = interrupt.asked
            if kept is None or _is_less(gap, kept.gap):
                kept = None
                kept = Kept(gap, engine.iterations, engine.last_plans())
            if saver is not None:
                saver.save(engine, kept, force=True)
    except (KeyboardInterrupt, OutOfTimeError) as error:
        # the engine may have been stopped within an iteration, so its own gap is unknown
        interrupted = isinstance(error, KeyboardInterrupt)
        if kept is None and not engine.iterations and not interrupted:
            raise
        if kept is None:
            with overtime():
                kept = Kept(inf, engine.iterations, engine.last_plans())
    if interrupted:
        logger.warning("interrupted after %s iterations", engine.iterations)
    return Found(
        kept.plans,
        kept.gap,
        engine.iterations,
        kept.gap <= limits.gap,
        stalled,
        interrupted,
        tuple(history),
    )
