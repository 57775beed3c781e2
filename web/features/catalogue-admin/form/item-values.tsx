import {
  unknownDiets,
  type DishDiets,
  type Ingredient,
  type MenuItem,
  type MenuItemFields,
  type updateMenuItem,
} from '#contracts/catalogue'
import type { BodyOf } from '#contracts/endpoint'
import { own } from '../../../lib/own'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'

/** Item fields with defaults. */
export type ItemValues = Omit<
  MenuItemFields,
  'description' | 'imageUrl' | 'allergens' | 'diets' | 'leadDays' | 'ingredients'
> & {
  description: string
  allergens: string[] | null
  diets: DishDiets
  leadDays: number
  ingredients: Ingredient[]
  imageUrl: string
  version?: string | undefined
}

export const emptyItem: ItemValues = {
  name: '',
  description: '',
  price: '',
  imageUrl: '',
  type: 'primary',
  categories: [],
  proteinDescriptions: {},
  weekNumbers: [],
  daysOfWeek: [],
  allergens: null,
  diets: unknownDiets,
  sideDishes: [],
  isAvailable: true,
  portionLimit: null,
  leadDays: 0,
  ingredients: [],
}

export const valuesOf = (item: MenuItem): ItemValues => {
  const {
    id: _id,
    isArchived: _isArchived,
    discountPrice: _price,
    discountPercentage: _percentage,
    ...fields
  } = item
  return { ...fields, description: item.description ?? '', imageUrl: item.imageUrl ?? '' }
}

const ascending = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b)

type ItemBody = BodyOf<typeof updateMenuItem>

/** No image is null; lists sorted; descriptions of chosen proteins only. */
export const bodyOf = (values: ItemBody): ItemBody => ({
  ...values,
  name: values.name.trim(),
  description: values.description?.trim() || null,
  imageUrl: values.imageUrl?.trim() || null,
  portionLimit: values.portionLimit ?? null,
  weekNumbers: ascending(values.weekNumbers),
  daysOfWeek: ascending(values.daysOfWeek),
  proteinDescriptions: Object.fromEntries(
    values.categories
      .map((protein) => [protein, own(values.proteinDescriptions, protein)?.trim() ?? ''] as const)
      .filter(([, text]) => text !== ''),
  ),
})

/** Removes the value, or appends it. */
export const toggledIn = <Value,>(list: readonly Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value]

type NameLockDialogProps = {
  open: boolean
  name: string
  busy: boolean
  onKeep: () => void
  onDuplicate: () => void
}

/** Alternatives to renaming an item with orders. */
export const NameLockDialog = ({ open, name, busy, onKeep, onDuplicate }: NameLockDialogProps) => (
  <Dialog
    open={open}
    onClose={onKeep}
    title="This name is locked"
    description={`“${name}” has orders, and families and the kitchen know them by this name, so it cannot be changed here.`}
    actions={
      <>
        <Button variant="secondary" onClick={onKeep} disabled={busy}>
          Keep Current Name
        </Button>
        <Button icon="copy" onClick={onDuplicate} busy={busy}>
          Duplicate Item
        </Button>
      </>
    }
  >
    <p>
      <strong>Recommended: duplicate the item.</strong> You get a copy with the same fields and no orders,
      opened for editing, and can give it any name. Changes not yet saved in this form are not copied.
    </p>
  </Dialog>
)

export type NameLock = 'open' | 'locked' | 'unknown'

/** `hasOrders` undefined: unknown. */
export const nameLockOf = (item: { id: number } | null, hasOrders: boolean | undefined): NameLock => {
  if (item === null) return 'open'
  if (hasOrders === undefined) return 'unknown'
  return hasOrders ? 'locked' : 'open'
}

/** `ask` opens the dialog and keeps the saved name. */
export const nameChange = (lock: NameLock, savedName: string, typed: string): 'take' | 'ask' =>
  lock === 'locked' && typed !== savedName ? 'ask' : 'take'
