import { type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core'

/** Light and dark. What is chosen is kept in this browser. */
export const COLOR_SCHEMES: { value: MantineColorScheme; label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Chooses between light, dark and what the system says. Loaded after the page: nothing waits for it. */
export default function ColorScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Colours"
      size="xs"
      fullWidth
      value={colorScheme}
      onChange={(chosen) => setColorScheme(chosen as MantineColorScheme)}
      data={COLOR_SCHEMES}
    />
  )
}
