import { Group, Text } from '@mantine/core'

/** The sign and the name of the product; where there is little room, the sign alone. */
export const Mark = ({ nameFrom }: { nameFrom?: 'xs' | 'sm' }) => (
  <Group gap={10} wrap="nowrap">
    <img src="/icon.svg" alt="" width={28} height={28} />
    <Text visibleFrom={nameFrom} fw={700} size="lg" lts={-0.3}>
      Pricetape
    </Text>
  </Group>
)
