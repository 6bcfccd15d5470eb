import { Anchor, Badge, type CSSVariablesResolver, createTheme } from '@mantine/core'

const closeButtonProps = { 'aria-label': 'Close' }

/** Calm: one accent colour, numbers of equal width. */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A link inside a text is known by more than its colour.
    Badge: Badge.extend({ styles: { root: { textTransform: 'none', minWidth: 'max-content' } } }),
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // What scrolls sideways shows that it does, and is reached with the keyboard.
    TableScrollContainer: { defaultProps: { type: 'native', className: 'scrolls', tabIndex: 0 } },
    // Named as they are, not imported: what a page does not use is not loaded.
    Notification: { defaultProps: { closeButtonProps } },
    Modal: { defaultProps: { closeButtonProps }, styles: { title: { fontWeight: 600 } } },
    Drawer: { defaultProps: { closeButtonProps } },
  },
})

/** The grounds of notices, badges and chosen rows: calmer than Mantine's own. In the dark also their text. */
const TINTS = ['red', 'orange', 'yellow', 'teal', 'green', 'blue'] as const
const DARK_TINTS: Record<(typeof TINTS)[number], string> = {
  red: '#3d1d1d',
  orange: '#3b2413',
  yellow: '#382d10',
  teal: '#10332a',
  green: '#18341d',
  blue: '#142e47',
}
const DARK_GRAY = '#3a3a3a'
/** A filled button below the pointer: darker, because Mantine's lighter green leaves white text a contrast of 3.9. */
const FILLED_HOVER = '#066b4d'

/** Text that reads well on every ground of ours: a contrast of 4.5 at least, which Mantine's own colours miss. */
export const cssVariablesResolver: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    ...Object.fromEntries(TINTS.map((name) => [`--mantine-color-${name}-light`, colors[name][0]])),
    ...Object.fromEntries(TINTS.map((name) => [`--mantine-color-${name}-light-hover`, colors[name][1]])),
    '--mantine-color-teal-filled-hover': FILLED_HOVER,
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': colors.red[9],
    '--mantine-color-teal-light-color': '#065f44',
    '--mantine-color-green-light-color': '#1f6a2d',
    '--mantine-color-red-light-color': '#b02020',
    '--mantine-color-yellow-light-color': '#8a4b00',
    '--mantine-color-orange-light-color': '#9c3a05',
  },
  dark: {
    '--mantine-color-text': '#dcdcdc',
    '--mantine-color-teal-filled-hover': FILLED_HOVER,
    '--mantine-color-error': colors.red[4],
    ...Object.fromEntries(TINTS.map((name) => [`--mantine-color-${name}-light`, DARK_TINTS[name]])),
    ...Object.fromEntries(TINTS.map((name) => [`--mantine-color-${name}-light-color`, colors[name][3]])),
    '--mantine-color-gray-light': DARK_GRAY,
    '--mantine-color-dimmed': '#a6a6a6',
    '--mantine-color-placeholder': '#9a9a9a',
  },
})
