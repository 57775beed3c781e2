import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import * as z from 'zod/mini'
import type { MenuItem } from '#contracts/catalogue'
import type { BodyOf, ReplyOf } from '#contracts/endpoint'
import { conflictFacts } from '#contracts/health'
import type { CycleOrder } from '#contracts/order-reports'
import type { substituteOrders } from '#contracts/ordering'
import { messageOf } from '../../lib/call'
import { capitalised, counted } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { menuQuery } from '../../queries/catalogue'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { FormField } from '../../ui/form'
import { FormDialog } from '../../ui/form-dialog'
import { QueryResult } from '../../ui/query-result'
import { Select } from '../../ui/select'
import {
  readAllergyRule,
  substitute,
  type ActDialogProps,
  otherOrdersTexts,
  substitutedToast,
} from './history-orders'

const chosenMeal = z.object({
  menuItemId: z.string().check(z.minLength(1, 'Choose a meal')),
  category: z.string(),
  sideDish: z.string(),
})
type ChosenMeal = z.input<typeof chosenMeal>

export const SubstituteDialog = (props: ActDialogProps) => {
  const [asked, setAsked] = useState<AllergyAsked | null>(null)
  return asked ? <AllergyDialog asked={asked} {...props} /> : <MealDialog onAsk={setAsked} {...props} />
}

type MealDialogProps = ActDialogProps & { onAsk: (asked: AllergyAsked) => void }

const MealDialog = ({ orders, others, onAsk, onActed, onClose }: MealDialogProps) => {
  const isAsking = useRef(false)
  const menu = useQuery(menuQuery)
  const sending = useMutation(substitute)
  return (
    <FormDialog
      title={`Give ${counted(orders.length, 'order')} another meal?`}
      description={[
        'What was paid stays. Every family is told once and may cancel until the cutoff with the full amount back.',
        ...otherOrdersTexts(others),
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
        const reply = await sending.mutateAsync({ body })
        adminToast(substitutedToast(reply))
        const conflicts = reply.skipped.filter(({ code }) => conflictCodes.has(code))
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

const conflictCodes = new Set(['allergen_conflict', 'diet_conflict'])

/** On the days of all these orders. */
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
          <FormField
            name="category"
            label="Protein"
            aria-label={`Protein of ${item.name}`}
            options={named(item.categories)}
          />
          {item.sideDishes.length > 0 ? (
            <FormField
              name="sideDish"
              label="Side dish"
              aria-label={`Side dish of ${item.name}`}
              options={named(item.sideDishes)}
            />
          ) : null}
        </>
      ) : null}
    </>
  )
}

const named = (names: readonly string[]) => names.map((value) => ({ value, label: capitalised(value) }))

type Skipped = ReplyOf<typeof substituteOrders>['skipped']

type AllergyAsked = { body: BodyOf<typeof substituteOrders>; conflicts: Skipped; others: Skipped }

type AllergyDialogProps = Omit<ActDialogProps, 'others'> & { asked: AllergyAsked }

/** For the rule `warn`. */
const AllergyDialog = ({ asked, orders, onActed, onClose }: AllergyDialogProps) => {
  const { body, conflicts, others } = asked
  const sending = useMutation(substitute)
  const end = (left: Skipped) => {
    onActed(left)
    onClose()
  }
  const give = async () => {
    const again = { ...body, orderIds: conflicts.map(({ orderId }) => orderId), acknowledged: true }
    try {
      const reply = await sending.mutateAsync({ body: again })
      adminToast(substitutedToast(reply))
      end([...others, ...reply.skipped])
    } catch (error) {
      adminToast({ title: 'Error', text: messageOf(error, 'Failed to change orders'), kind: 'error' })
    }
  }
  const nameOf = (orderId: string) => orders.find(({ id }) => id === orderId)?.student.name ?? 'A child'
  return (
    <ConfirmDialog
      open
      danger
      title="Give this meal all the same?"
      confirm="Give It All the Same"
      cancel="Leave Them Out"
      busy={sending.isPending}
      onConfirm={() => void give()}
      onClose={() => end([...others, ...conflicts])}
    >
      {counted(conflicts.length, 'child is', 'children are')} allergic to what is in it or{' '}
      {conflicts.length === 1 ? 'does' : 'do'} not eat it:
      {conflicts.map(({ orderId, allergens = [], diets = [] }) => (
        <span key={orderId} className="block font-semibold text-ink">
          {nameOf(orderId)} – {conflictFacts({ allergens, diets })}
        </span>
      ))}
      The families are asked to look at it.
    </ConfirmDialog>
  )
}
