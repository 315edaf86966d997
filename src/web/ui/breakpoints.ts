/**
 * The widths at which the layout changes, in px, for the whole app. Style sheets repeat them as numbers, because media queries
 * cannot use variables; a test checks that they agree. Below `lg` is mobile.
 */
export const breakpoints = { sm: 600, md: 960, lg: 1280, xl: 1920, xxl: 2560 } as const
