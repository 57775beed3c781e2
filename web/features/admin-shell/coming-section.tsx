import { Card } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'

/** A section that is held but not built yet, said as it is. */
export const ComingSection = ({ label }: { label: string }) => (
  <Card>
    <EmptyState title={`${label} arrives with the next release`} icon="clock">
      This section is not part of this release, so there is nothing to see or to do here yet.
    </EmptyState>
  </Card>
)

/** An administrator who holds no section at all, or not the one of this address. */
export const NoSection = ({ title, children }: { title: string; children: string }) => (
  <Card>
    <EmptyState title={title} icon="lock">
      {children}
    </EmptyState>
  </Card>
)
