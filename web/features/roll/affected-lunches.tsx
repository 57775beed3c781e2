import type { ReplyOf } from '#contracts/endpoint'
import type { updateStudent } from '#contracts/identity'
import { counted, gradeLabel, longDay } from '../../lib/format'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'

export type Affected = ReplyOf<typeof updateStudent>

/** The lunches to come that a child could not order again in its new grade. */
export const AffectedLunches = ({ affected, onClose }: { affected: Affected; onClose: () => void }) => {
  const { name, grade, affectedOrders } = affected
  const lunches = counted(affectedOrders.length, 'lunch', 'lunches')
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${lunches} of ${name} ${affectedOrders.length === 1 ? 'is' : 'are'} not on the menu of ${gradeLabel(grade)}`}
      description="They stay ordered and are cooked as they are. The family can change or cancel them in its Order History."
      actions={<Button onClick={onClose}>Got It</Button>}
    >
      <ul className="divide-y divide-line rounded-md border border-line">
        {affectedOrders.map(({ orderId, date, menuItem }) => (
          <li key={orderId} className="px-3 py-2">
            <span className="font-semibold">{longDay(date)}</span>: {menuItem}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
