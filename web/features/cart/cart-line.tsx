import { classes } from '../../lib/classes'
import { dayName, kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { FieldError } from '../../ui/field'
import { IconButton } from '../../ui/icon-button'
import { TextArea } from '../../ui/text-field'
import { dayKey, priceOf } from './cart-items'
import type { CartItem } from './cart-items'

const maxComments = 500

type CartLineProps = {
  item: CartItem
  unavailable: boolean
  /** What the server said about this meal when the cart was last sent. */
  message: string | undefined
  onComments: (comments: string) => void
  onRemove: () => void
}

/** One meal in the cart. */
export const CartLine = ({ item, unavailable, message, onComments, onRemove }: CartLineProps) => {
  const wrong = unavailable || message !== undefined
  const details = [item.category, item.sideDish].filter(Boolean).join(' · ')
  return (
    <li className={classes('flex flex-col gap-2 px-4 py-4 sm:px-6', wrong && 'bg-danger-50')}>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <p className="font-semibold break-words">{item.menuItem.name}</p>
          <p className="text-sm text-muted">
            Week {item.weekNumber}, {dayName(item.dayOfWeek)}
          </p>
          {details ? <p className="text-sm first-letter:uppercase">{details}</p> : null}
        </div>
        <TextArea
          label="Special instructions"
          placeholder="Allergies, no onions, a small portion …"
          rows={2}
          maxLength={maxComments}
          value={item.comments}
          onChange={(event) => onComments(event.target.value)}
          className="order-last w-full md:order-none md:w-1/2"
        />
        <div className="flex flex-col items-end md:w-24">
          <Price item={item} />
          <IconButton
            icon="trash"
            look="danger"
            label={`Remove ${item.menuItem.name} on ${dayName(item.dayOfWeek)} of week ${item.weekNumber} for ${item.student.name}`}
            onClick={onRemove}
            className="-mr-2.5"
          />
        </div>
      </div>
      {unavailable ? <Badge tone="danger">No longer available</Badge> : null}
      <FieldError id={`${dayKey(item)}-refused`} message={message} />
    </li>
  )
}

const Price = ({ item }: { item: CartItem }) => (
  <p className="money text-right font-semibold">
    {priceOf(item) === Number(item.menuItem.price) ? null : (
      <s className="block text-sm font-normal text-muted">
        <span className="sr-only">Instead of </span>
        {kwacha(item.menuItem.price)}
      </s>
    )}
    {kwacha(priceOf(item))}
  </p>
)
