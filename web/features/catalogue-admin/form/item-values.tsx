import type { MenuItem, MenuItemFields } from '#contracts/catalogue'
import { own } from '../../../lib/own'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'

/** The form's values: the item's fields with every optional one filled in. */
export type ItemValues = Omit<MenuItemFields, 'description' | 'imageUrl' | 'allergens'> & {
  description: string
  allergens: string[]
  imageUrl: string
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
  allergens: [],
  sideDishes: [],
  isAvailable: true,
  portionLimit: null,
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

/** The body sent: no image is null, lists in order, descriptions of chosen proteins only and none of them empty. */
export const bodyOf = (values: MenuItemFields): MenuItemFields => ({
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

/** What the price field keeps of a keystroke: digits, one dot, two decimals at most; otherwise what was there. */
export const acceptedPrice = (typed: string, before: string): string =>
  /^\d*(\.\d{0,2})?$/.test(typed) ? typed : before

/** The list with this value taken out, or put at its end. */
export const toggledIn = <Value,>(list: readonly Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value]

type NameLockDialogProps = {
  open: boolean
  name: string
  busy: boolean
  onKeep: () => void
  onDuplicate: () => void
}

/** Offers what can be done instead of renaming an item that has orders. */
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

/** Whether the name of an item may change: unlocked without orders, unknown until the server has said. */
export type NameLock = 'open' | 'locked' | 'unknown'

/** The lock of a form: a new item (`hasOrders` null by nature) is open, a saved one as the server says. */
export const nameLockOf = (item: { id: number } | null, hasOrders: boolean | undefined): NameLock => {
  if (item === null) return 'open'
  if (hasOrders === undefined) return 'unknown'
  return hasOrders ? 'locked' : 'open'
}

/** What a change of the name leads to: it is taken, or the dialog opens and the saved name stays. */
export const nameChange = (lock: NameLock, savedName: string, typed: string): 'take' | 'ask' =>
  lock === 'locked' && typed !== savedName ? 'ask' : 'take'
