import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allConflicts, conflictFacts, conflictText, isConflict, type MealConflict } from '#contracts/health'
import type { Order } from '#contracts/ordering'
import { capitalised, counted, longDay } from '../../lib/format'
import { BannerButton } from '../../ui/notice'
import { ordersQuery } from './api'
import { useCancelQuestion } from './cancelling'
import { CancelAction, useAllowedNow } from './family-actions'

const none: Order[] = []

const against = ({ allergens = [], diets = [] }: Order): MealConflict => ({ allergens, diets })

/** Future meals with something against them declared since, in one line; a press shows what to do (families.md section 3). Empty for none. */
export const AllergyConflicts = ({ as }: { as: 'parent' | 'teacher' }) => {
  const orders = useQuery(ordersQuery(as))
  const now = useAllowedNow(orders.data ?? none, orders.dataUpdatedAt)
  const cancelling = useCancelQuestion(as, orders.dataUpdatedAt)
  const [open, setOpen] = useState(false)
  const meals = now.filter((order) => isConflict(against(order)))
  return (
    <>
      {meals.length > 0 ? (
        <section aria-label="Meals to look at">
          <BannerButton
            icon="alert"
            title={`${counted(meals.length, 'meal needs', 'meals need')} a look`}
            text={capitalised(conflictFacts(allConflicts(meals.map(against))))}
            aria-expanded={open}
            aria-controls="meals-to-look-at"
            onClick={() => setOpen(!open)}
          />
          <ul
            id="meals-to-look-at"
            hidden={!open}
            className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface px-4 py-1 text-sm"
          >
            {datesOf(meals).map((date) => (
              <li key={date} className="py-2">
                <p className="text-xs font-semibold text-muted">{longDay(date)}</p>
                <ul>
                  {meals
                    .filter(({ mealDate }) => mealDate === date)
                    .map((order) => (
                      <MealToLookAt key={order.id} order={order} onCancel={cancelling.ask} />
                    ))}
                </ul>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {cancelling.question}
    </>
  )
}

const datesOf = (orders: readonly Order[]) => [...new Set(orders.map(({ mealDate }) => mealDate))].toSorted()

type MealToLookAtProps = { order: Order; onCancel: (order: Order) => void }

const MealToLookAt = ({ order, onCancel }: MealToLookAtProps) => {
  const { id, menuItem, student, allowed, why } = order
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-1">
      <p id={`look-${id}`} className="min-w-0 flex-1 basis-60 break-words text-ink">
        <strong>
          {student.name}: {menuItem.name}
        </strong>
        <span className="block">{conflictText(against(order), student)}</span>
        {allowed.change || allowed.cancel ? null : (
          <span className="block">{why.cancel ?? why.change}. Please contact the tuckshop.</span>
        )}
      </p>
      <CancelAction order={order} describedBy={`look-${id}`} onCancel={onCancel} />
    </li>
  )
}
