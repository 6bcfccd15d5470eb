import { Button, Loader, Popover, Stack, Text } from '@mantine/core'
import { IconCalculator } from '@tabler/icons-react'
import { Suspense, useMemo } from 'react'
import { lazyPart } from '../../../components/loading/lazy-part.ts'
import { searchOf, type WorkloadSearch, workloadOf, workloadText } from './workload.ts'

const WorkloadForm = lazyPart(async () => ({ default: (await import('./workload-form.tsx')).WorkloadForm }))

type Props = { search: WorkloadSearch; set: (change: WorkloadSearch) => void }

/** What the column Workload is the cost of. */
export function WorkloadChoice({ search: { tokens, requests, service }, set }: Props) {
  const workload = useMemo(() => workloadOf({ tokens, requests, service }), [tokens, requests, service])
  return (
    <Popover position="bottom-end" shadow="md" trapFocus width={420}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconCalculator size={16} aria-hidden />}>
          Workload: {workloadText(workload)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            Sort by the column Workload to see who asks least for this. Each token counts once.
          </Text>
          <Suspense fallback={<Loader size="sm" />}>
            <WorkloadForm workload={workload} isNarrow onChange={(next) => set(searchOf(next))} />
          </Suspense>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
