import { useMutation, useQuery } from '@tanstack/react-query'
import { useController, useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleOrder } from '#contracts/cycle-orders'
import { useRef, useState } from 'react'
import { capitalised, counted } from '../../../lib/format'
import { adminToast } from '../../../lib/toast'
import { useKeyPerBody } from '../../../lib/use-key-per-body'
import { FormField } from '../../../ui/form'
import { FormDialog } from '../../../ui/form-dialog'
import { QueryResult } from '../../../ui/query-result'
import { Select } from '../../../ui/select'
import { menuQuery, readAllergyRule, substitute } from '../api'
import { type ActDialogProps, othersWords, substitutedToast } from './act-words'
import { type AllergyAsked, AllergyDialog } from './allergy-dialog'

const chosenMeal = z.object({
  menuItemId: z.string().check(z.minLength(1, 'Choose a meal')),
  category: z.string(),
  sideDish: z.string(),
})
type ChosenMeal = z.input<typeof chosenMeal>

/** Gives orders another meal; where a child is allergic to it and the rule is to warn, it asks before that. */
export const SubstituteDialog = (props: ActDialogProps) => {
  const [asked, setAsked] = useState<AllergyAsked | null>(null)
  return asked ? <AllergyDialog asked={asked} {...props} /> : <MealDialog onAsk={setAsked} {...props} />
}

type MealDialogProps = ActDialogProps & { onAsk: (asked: AllergyAsked) => void }

/** The meal with its protein and side, at the price that was paid. */
const MealDialog = ({ orders, others, onAsk, onActed, onClose }: MealDialogProps) => {
  const isAsking = useRef(false)
  const menu = useQuery(menuQuery)
  const sending = useMutation(substitute)
  const keyOf = useKeyPerBody()
  return (
    <FormDialog
      title={`Give ${counted(orders.length, 'order')} another meal?`}
      description={[
        'What was paid stays. Every family is told once and may cancel until the cutoff with the full amount back.',
        ...othersWords(others),
      ].join(' ')}
      submit="Give This Meal"
      busyLabel="Changing..."
      schema={chosenMeal}
      defaultValues={{ menuItemId: '', category: '', sideDish: '' }}
      onSave={async ({ menuItemId, category, sideDish }) => {
        const body = {
          orderIds: orders.map(({ id }) => id),
          menuItemId: Number(menuItemId),
          category: category || null,
          sideDish: sideDish || null,
        }
        const reply = await sending.mutateAsync({ body, idempotencyKey: keyOf(body) })
        adminToast(substitutedToast(reply))
        const conflicts = reply.skipped.filter(({ code }) => code === 'allergen_conflict')
        isAsking.current = conflicts.length > 0 && (await readAllergyRule()) === 'warn'
        if (!isAsking.current) return onActed(reply.skipped)
        onAsk({ body, conflicts, others: reply.skipped.filter((one) => !conflicts.includes(one)) })
      }}
      failed="Failed to change orders"
      onClose={() => isAsking.current || onClose()}
      className="flex flex-col gap-4"
    >
      <QueryResult query={menu} failure="Failed to fetch menu items">
        {(items) => <MealFields items={items.filter((item) => isOffered(item, orders))} />}
      </QueryResult>
    </FormDialog>
  )
}

/** Whether the item can be had on the days of all these orders. */
const isOffered = (item: MenuItem, orders: readonly CycleOrder[]): boolean =>
  !item.isArchived &&
  item.isAvailable &&
  orders.every(
    ({ weekNumber, dayOfWeek }) =>
      item.weekNumbers.includes(weekNumber) && item.daysOfWeek.includes(dayOfWeek),
  )

const MealFields = ({ items }: { items: MenuItem[] }) => {
  const { setValue } = useFormContext<ChosenMeal>()
  const { field, fieldState } = useController<ChosenMeal, 'menuItemId'>({ name: 'menuItemId' })
  const item = items.find(({ id }) => String(id) === field.value)
  const choose = (id: string) => {
    const next = items.find((one) => String(one.id) === id)
    setValue('menuItemId', id, { shouldValidate: true })
    setValue('category', next?.categories[0] ?? '')
    setValue('sideDish', next?.sideDishes[0] ?? '')
  }
  if (items.length === 0) return <p>No meal is offered on all the days of these orders.</p>
  return (
    <>
      <Select
        value={field.value}
        error={fieldState.error?.message}
        label="Meal"
        placeholder="Choose a meal"
        options={items.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(event) => choose(event.target.value)}
      />
      {item ? (
        <>
          <FormField name="category" label="Protein" options={named(item.categories)} />
          {item.sideDishes.length > 0 ? (
            <FormField name="sideDish" label="Side dish" options={named(item.sideDishes)} />
          ) : null}
        </>
      ) : null}
    </>
  )
}

const named = (names: readonly string[]) => names.map((value) => ({ value, label: capitalised(value) }))
