/** Scrolls to a problem that is shown: the button that was pressed may be far below it. */
export const showProblem = (problem: HTMLElement | null) => problem?.scrollIntoView({ block: 'nearest' })
