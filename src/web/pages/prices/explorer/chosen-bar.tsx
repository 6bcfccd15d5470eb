import { Button, Group, Paper, Text } from '@mantine/core'
import { plural } from '../../../../lib/text/plural.ts'
import { ButtonLink } from '../../../components/links.tsx'
import { keepWorkload } from '../../../search.ts'
import { splitParts } from '../table/row-key.ts'

/** What was chosen, and the way to compare it. */
export function ChosenBar({ chosen, onClear }: { chosen: string[]; onClear: () => void }) {
  if (chosen.length === 0) return null
  const of = chosen.map(splitParts)
  return (
    <Paper withBorder shadow="md" p="sm" pos="sticky" bottom={12} style={{ zIndex: 3 }}>
      <Group justify="space-between" gap="xs">
        <Text size="sm" role="status">
          {plural(chosen.length, 'row')} of at most 6 chosen
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onClear}>
            Clear
          </Button>
          <ButtonLink size="xs" to="/compare" search={keepWorkload({ of })}>
            Compare
          </ButtonLink>
        </Group>
      </Group>
    </Paper>
  )
}
