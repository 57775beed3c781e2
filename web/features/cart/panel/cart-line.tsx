import { pictureSources } from '#contracts/pictures'
import { classes } from '../../../lib/classes'
import { capitalised, dayName, kwacha } from '../../../lib/format'
import { Badge, Mark, OldPrice } from '../../../ui/badge'
import { Button, IconButton } from '../../../ui/button'
import { FieldError, TextArea } from '../../../ui/field'
import { Picture } from '../../../ui/picture'
import { type CartItem, priceOf, dayKey } from '../cart'
import type { CartMark } from '../send-cart'

type CartLineProps = {
  item: CartItem
  day: string
  unavailable: boolean
  message: string | undefined
  mark: CartMark
  onAsk: () => void
  onAnother: () => void
  onComments: (comments: string) => void
  onRemove: (pressed: HTMLButtonElement) => void
}

/** A line with a message can take the focus and then describes itself. */
export const CartLine = (props: CartLineProps) => {
  const { item, day, unavailable, message, mark, onComments, onRemove } = props
  const isRefused = message !== undefined || mark.stops
  const details = [item.category, item.sideDish].flatMap((name) => (name ? [capitalised(name)] : []))
  return (
    <li
      tabIndex={isRefused ? -1 : undefined}
      data-refused={isRefused ? true : undefined}
      className={classes('px-4 py-4 sm:px-6', (unavailable || isRefused) && 'bg-danger-50')}
    >
      <div className="flex flex-col gap-3 md:flex-row md:items-start md:gap-4">
        <div className="flex flex-wrap items-start gap-x-3 md:contents">
          {item.menuItem.imageUrl ? (
            <Picture of={pictureSources(item.menuItem.imageUrl)} sizes="56px" className="size-14" />
          ) : null}
          <div className="max-w-full flex-1 [&_p]:break-words md:min-w-0">
            <p className="font-semibold">{item.menuItem.name}</p>
            <p className="text-sm text-muted">{day}</p>
            <p className="text-sm text-muted">
              Week {item.weekNumber}
              {details.length > 0 ? ' · ' : null}
              <span className="text-ink">{details.join(' · ')}</span>
            </p>
            {unavailable ? (
              <Badge tone="danger" icon="alert">
                No longer available
              </Badge>
            ) : null}
            <FieldError id={`${dayKey(item)}-refused`} message={message} />
            <MarkText {...props} />
          </div>
          <Price item={item} />
        </div>
        <div className="flex items-start gap-2 md:contents">
          <Instructions
            of={mealOf(item)}
            value={item.comments}
            onChange={onComments}
            className="min-w-0 flex-1 md:order-1 md:w-2/5 md:flex-none"
          />
          <IconButton
            icon="trash"
            variant="danger"
            label={`Remove ${mealOf(item)}`}
            data-remove
            onClick={({ currentTarget }) => onRemove(currentTarget)}
            className="-mr-2.5 md:order-3"
          />
        </div>
      </div>
    </li>
  )
}

const mealOf = ({ menuItem, student, dayOfWeek, weekNumber }: CartItem) =>
  `${menuItem.name} on ${dayName(dayOfWeek)} of week ${weekNumber} for ${student.name}`

/** What speaks against the meal for the child, and how to go on. */
const MarkText = ({ item, mark: { conflict, unstated, rule, stops }, onAsk, onAnother }: CartLineProps) => (
  <>
    {conflict ? (
      <Mark danger={stops}>
        {rule === 'block'
          ? `${conflict}. It cannot be ordered.`
          : stops
            ? conflict
            : `${conflict}. You want it all the same.`}
      </Mark>
    ) : null}
    {unstated ? <Mark>{unstated}</Mark> : null}
    {stops ? (
      <span className="mt-2 flex flex-wrap gap-2">
        <Button
          variant="secondary"
          aria-label={`Choose Another Meal instead of ${mealOf(item)}`}
          className="px-3! text-sm!"
          onClick={onAnother}
        >
          Choose Another Meal
        </Button>
        {rule === 'warn' ? (
          <Button
            variant="ghost"
            aria-label={`Order It All the Same: ${mealOf(item)}`}
            className="px-3! text-sm!"
            onClick={onAsk}
          >
            Order It All the Same
          </Button>
        ) : null}
      </span>
    ) : null}
  </>
)

const Price = ({ item }: { item: CartItem }) => (
  <p className="money ml-auto text-right font-semibold md:order-2 md:w-24">
    {priceOf(item) === Number(item.menuItem.price) ? null : (
      <OldPrice price={item.menuItem.price} className="block text-sm font-normal text-muted" />
    )}
    {kwacha(priceOf(item))}
  </p>
)

const maxCharacters = 500
const charactersInARow = 32
const maxRows = 6

type InstructionsProps = { of: string; value: string; onChange: (text: string) => void; className?: string }

const Instructions = ({ of, value, onChange, className }: InstructionsProps) => (
  <TextArea
    label="Special instructions"
    aria-label={`Special instructions for ${of}`}
    hideLabel
    placeholder="Special instructions"
    hint={value ? `Instructions, ${value.length} of ${maxCharacters} characters` : null}
    rows={rowsOf(value)}
    maxLength={maxCharacters}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={className}
  />
)

const rowsOf = (text: string) => {
  const rows = text.split('\n').map((line) => Math.floor(line.length / charactersInARow) + 1)
  return Math.min(
    rows.reduce((sum, more) => sum + more, 0),
    maxRows,
  )
}
