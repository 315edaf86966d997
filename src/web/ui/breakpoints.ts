/**
 * The widths at which the layout changes, in px, for the whole app. Style sheets write them as numbers, since media queries
 * know no variables: a test holds them to these. Below `lg` is mobile.
 */
export const breakpoints = { sm: 600, md: 960, lg: 1280, xl: 1920, xxl: 2560 } as const
