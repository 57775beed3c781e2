import { Card } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'

/** An administrator who holds no section at all, or not the one of this address. */
export const NoSection = ({ title, children }: { title: string; children: string }) => (
  <Card>
    <EmptyState title={title} icon="lock">
      {children}
    </EmptyState>
  </Card>
)
