import { Button, Group, NativeSelect, NumberInput, SimpleGrid } from '@mantine/core'
import { capital } from '../../../capital.ts'
import { countOf, MIXES, mixOf, SERVICES, serviceOf, TOKENS, type Workload } from './workload.ts'

type Props = { workload: Workload; isNarrow?: boolean; onChange: (workload: Workload) => void }

/** What people come with: the tokens of one request, how many requests, and which service. */
export function WorkloadForm({ workload, isNarrow = false, onChange }: Props) {
  const { amounts, requests, service } = workload
  const mix = mixOf(workload)
  return (
    <>
      <Group gap="xs">
        {MIXES.map(({ name, label, amounts: own }) => (
          <Button
            key={name}
            size="xs"
            variant={mix === name ? 'light' : 'default'}
            aria-pressed={mix === name}
            onClick={() => onChange({ ...workload, amounts: own })}
          >
            {label}
          </Button>
        ))}
      </Group>
      <SimpleGrid cols={isNarrow ? 2 : { base: 2, sm: 4, lg: 7 }} spacing="sm">
        {TOKENS.map(({ label }, n) => (
          <Count
            key={label}
            label={`${label} tokens`}
            value={amounts[n]!}
            onChange={(count) => onChange({ ...workload, amounts: amounts.with(n, count) })}
          />
        ))}
        <Count label="Requests" value={requests} onChange={(count) => onChange({ ...workload, requests: count })} />
        <NativeSelect
          label="Service"
          value={service}
          data={SERVICES.map((value) => ({ value, label: capital(value) }))}
          onChange={({ currentTarget }) => onChange({ ...workload, service: serviceOf(currentTarget.value) })}
        />
      </SimpleGrid>
    </>
  )
}

type CountProps = { label: string; value: number; onChange: (count: number) => void }

/** An empty field counts as zero. */
const Count = ({ label, value, onChange }: CountProps) => (
  <NumberInput
    label={label}
    value={value}
    min={0}
    allowDecimal={false}
    allowNegative={false}
    thousandSeparator=","
    hideControls
    onChange={(typed) => onChange(countOf(typed === '' ? 0 : typed) ?? value)}
  />
)
