import type { ReactNode } from 'react'
import { counted, gradeLabel, kwacha } from '../../../lib/format'
import { Card, CardHeading } from '../../../ui/card'
import { totalOf } from '../cart-items'
import type { CartGroup } from '../cart-view'

/** The meals of one child, and under their prices what they cost together. */
export const GroupCard = ({ group, children }: { group: CartGroup; children: ReactNode }) => (
  <Card>
    <CardHeading
      title={group.name}
      hint={`${gradeLabel(group.grade)} · ${counted(group.items.length, 'meal')}`}
    />
    <ul className="mt-3 divide-y divide-line border-y border-line">{children}</ul>
    <Sum label="Subtotal" amount={totalOf(group.items)} />
  </Card>
)

type SumProps = { label: string; amount: number; large?: boolean }

/** A sum, its amount in the column of the prices. */
export const Sum = ({ label, amount, large }: SumProps) => (
  <p className="flex w-full items-baseline sm:w-auto justify-end gap-4 px-4 py-3 sm:px-6 md:pr-18.5">
    <span className={large ? 'font-semibold' : 'text-sm text-muted'}>{label}</span>{' '}
    <span className={large ? 'money text-xl font-semibold' : 'money font-semibold'}>{kwacha(amount)}</span>
  </p>
)
