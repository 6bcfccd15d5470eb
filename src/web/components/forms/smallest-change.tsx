import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'
import { MAX_MIN_CHANGE } from '../../limits.ts'

type Props = Omit<NumberInputProps, 'value' | 'onChange'> & { value?: number; onChange: (percent: number) => void }

/** From how many per cent on a price change is sent. An empty field means each. */
export function SmallestChange({ value = 0, onChange, ...field }: Props) {
  // What is on its way to a number, such as "0." before 0.25, stays as it is typed.
  const [typed, setTyped] = useState<string | number>(value)
  return (
    <NumberInput
      label="Smallest price change"
      suffix="%"
      min={0}
      max={MAX_MIN_CHANGE}
      decimalScale={2}
      allowNegative={false}
      {...field}
      value={percentOf(typed) === value ? typed : value}
      onChange={(next) => {
        setTyped(next)
        onChange(percentOf(next))
      }}
    />
  )
}

const percentOf = (typed: string | number): number => Number(typed) || 0
