import { Select, type SelectProps } from '@mantine/core'

type Props<Value extends string> = Omit<SelectProps, 'value' | 'onChange' | 'placeholder'> & {
  label: string
  /** What is shown while nothing is chosen, and the name of the button that clears the choice. */
  any: string
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}

/** One of several values that narrow a list, or none. */
export const FilterSelect = <Value extends string>({ label, any, value, onChange, ...props }: Props<Value>) => (
  <Select
    aria-label={label}
    placeholder={any}
    value={value ?? null}
    onChange={(chosen) => onChange((chosen as Value | null) ?? undefined)}
    clearable
    clearButtonProps={{ 'aria-label': any }}
    {...props}
  />
)
