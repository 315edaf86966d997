import { createTheme, type MantineColorsTuple } from '@mantine/core'
import { showTyped } from '../../texts/generated/common.ts'
import * as texts from '../../texts/generated/staff.ts'
import { breakpoints } from '../ui/breakpoints.ts'

/** Shades of the tokens; `styles.test.ts` checks that they agree. */
const primary: MantineColorsTuple = [
  '#f0f0fc',
  '#dedef5',
  '#babaea',
  '#9494df',
  '#7676d6',
  '#6464d3',
  '#5a5ad0',
  '#4a4ab8',
  '#4141a6',
  '#363692',
]

/** Mantine's own red is too faint for text on white (WCAG AA). */
const red: MantineColorsTuple = [
  '#fdf1f0',
  '#fbdedb',
  '#f5b5b0',
  '#ee8a82',
  '#d9534a',
  '#b3261e',
  '#b3261e',
  '#a3211a',
  '#8f1c16',
  '#7d1a14',
]

const dialog = {
  closeButtonProps: { 'aria-label': texts.close() },
  // Its header is a `header`, which screen readers would take for the page's.
  attributes: { header: { role: 'none' } },
}

const field = { '--input-height': '48px', '--input-fz': '1rem', '--input-radius': 'var(--radius-field)' }
const button = { '--button-height': '44px', '--button-fz': '0.95rem' }

/** How the interface kit looks and behaves here. */
export const theme = createTheme({
  colors: { primary, red },
  primaryColor: 'primary',
  primaryShade: 5,
  fontFamily: 'Poppins, system-ui, sans-serif',
  defaultRadius: 'md',
  radius: { md: 'var(--radius)' },
  respectReducedMotion: true,
  components: {
    // The sizes of the fields in `ui/fields.css` and of the buttons in `ui/base.css`.
    Input: { vars: () => ({ wrapper: field }) },
    // Optional fields are marked instead of required ones, as on visitors' pages.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'], withAsterisk: false },
    },
    Button: { vars: (_: unknown, { size = 'sm' }: { size?: string }) => ({ root: size === 'sm' ? button : {} }) },
    // As on visitors' pages, where the keyboard reaches it too.
    PasswordInput: {
      defaultProps: {
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': showTyped() },
      },
    },
    Modal: { defaultProps: dialog },
    Drawer: { defaultProps: dialog },
    Menu: {
      // Without it a menu that opens focuses its first entry. The placeholder is also no valid child of a menu for screen readers.
      defaultProps: { withInitialFocusPlaceholder: false },
    },
  },
  breakpoints: Object.fromEntries(Object.entries(breakpoints).map(([name, px]) => [name, `${px}px`])),
})

/** The tokens change with the device's colour scheme by themselves. */
const fromTokens = {
  '--mantine-color-primary-light': 'var(--soft)',
  '--mantine-color-primary-light-hover': 'var(--soft-hover)',
  '--mantine-color-primary-light-color': 'var(--secondary)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--placeholder)',
  '--mantine-color-default-border': 'var(--field-line)',
  // Behind the entry of a menu that has the focus or the pointer.
  '--menu-item-hover': 'var(--hover)',
}

/** The kit's own greys and red are too faint; these are the colours of `ui/tokens.css`. */
export const resolver = () => ({
  variables: {},
  light: {
    ...fromTokens,
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-gray-4': 'var(--field-line)',
  },
  dark: {
    ...fromTokens,
    '--mantine-color-body': 'var(--paper)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-default': 'var(--paper)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-hover': 'var(--hover)',
    '--mantine-color-red-light': 'var(--bad-ground)',
    '--mantine-color-red-light-hover': 'var(--bad-soft)',
    '--mantine-color-red-light-color': 'var(--bad)',
    '--mantine-color-red-text': 'var(--bad)',
    // Borders, fields and lists use these shades directly.
    '--mantine-color-dark-4': 'var(--field-line)',
    '--mantine-color-dark-5': 'var(--soft)',
    '--mantine-color-dark-6': 'var(--paper)',
    '--mantine-color-dark-7': 'var(--paper)',
  },
})
