import { Select, type SelectProps } from '@mantine/core'

type Choice = string | { value: string; label: string }
type Props<Value extends string> = Omit<SelectProps, 'value' | 'onChange' | 'placeholder' | 'data'> & {
  label: string
  data: Choice[]
  /** What is shown while nothing is chosen, and the name of the button that clears the choice. */
  any: string
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}

/** One of several values that narrow a list, or none. */
export const FilterSelect = <Value extends string>({ label, any, data, value, onChange, ...props }: Props<Value>) => (
  <Select
    aria-label={label}
    placeholder={any}
    data={withChosen(data, value)}
    value={value ?? null}
    onChange={(chosen) => onChange((chosen as Value | null) ?? undefined)}
    clearable
    clearButtonProps={{ 'aria-label': any }}
    {...props}
  />
)

/** What the address names is shown as chosen, also where it is not among the choices. */
const withChosen = (data: Choice[], chosen: string | undefined): Choice[] =>
  chosen === undefined || data.some((choice) => nameIn(choice) === chosen) ? data : [...data, chosen]
const nameIn = (choice: Choice): string => (typeof choice === 'string' ? choice : choice.value)
