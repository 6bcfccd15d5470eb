import '@mantine/dates/styles.css'
import { DatePicker } from '@mantine/dates'

type Props = { from: string; to: string; value: string | undefined; onChoose: (day: string) => void }

/** A calendar, loaded when somebody looks for a day. */
export default function Calendar({ from, to, value, onChoose }: Props) {
  return (
    <DatePicker
      minDate={from}
      maxDate={to}
      defaultDate={value ?? to}
      value={value ?? null}
      onChange={(day) => day && onChoose(day)}
      hideOutsideDates
      weekendDays={[]}
      ariaLabels={{ previousMonth: 'Month before', nextMonth: 'Month after' }}
    />
  )
}
