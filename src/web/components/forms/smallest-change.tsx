import { NumberInput, type NumberInputProps } from '@mantine/core'
import { MAX_MIN_CHANGE } from '../../limits.ts'

type Props = Omit<NumberInputProps, 'onChange'> & { onChange: (percent: number) => void }

/** From how many per cent on a price change is sent. An empty field means each. */
export const SmallestChange = ({ onChange, ...field }: Props) => (
  <NumberInput
    label="Smallest price change"
    suffix="%"
    min={0}
    max={MAX_MIN_CHANGE}
    decimalScale={2}
    allowNegative={false}
    {...field}
    onChange={(typed) => onChange(typed === '' ? 0 : Number(typed))}
  />
)
