import { Button, Checkbox, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { EventExample } from './event-example.tsx'
import { EVENT_GROUPS } from './event-words.ts'

type Props = { value?: string[]; onChange?: (types: string[]) => void; error?: ReactNode }

/** The types of events, in groups of which each can be chosen as a whole. */
export function EventTypesField({ value = [], onChange, ...field }: Props) {
  return (
    <Checkbox.Group label="Events" required value={value} onChange={onChange} {...field}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" spacing="md">
        {EVENT_GROUPS.map(({ label, types }) => {
          const all = types.map(({ type }): string => type)
          const others = value.filter((type) => !all.includes(type))
          const hasAll = all.every((type) => value.includes(type))
          return (
            <Stack key={label} gap={6} role="group" aria-label={label}>
              <Group justify="space-between">
                <Text size="sm" fw={500} c="dimmed">
                  {label}
                </Text>
                {all.length > 1 && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={`${hasAll ? 'Clear' : 'Select'} all of ${label}`}
                    onClick={() => onChange?.(hasAll ? others : [...others, ...all])}
                  >
                    {hasAll ? 'Clear' : 'Select all'}
                  </Button>
                )}
              </Group>
              {types.map((item) => (
                <Group key={item.type} gap="xs" wrap="nowrap" align="flex-start" justify="space-between">
                  <Checkbox
                    value={item.type}
                    label={item.label}
                    description={
                      <>
                        <Code>{item.type}</Code>
                        {'description' in item && ` ${item.description}`}
                      </>
                    }
                  />
                  <EventExample type={item.type} />
                </Group>
              ))}
            </Stack>
          )
        })}
      </SimpleGrid>
    </Checkbox.Group>
  )
}
