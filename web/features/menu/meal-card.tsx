import { useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { classes } from '../../lib/classes'
import { kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { Select } from '../../ui/select'

/** What a parent chose for one day. */
export type MealChoice = { item: MenuItem; category: string | null; sideDish: string | null }

type MealCardProps = {
  item: MenuItem
  sides: readonly string[]
  /** What is in the cart for this day, when it is this meal. */
  inCart: { category: string | null; sideDish: string | null } | null
  onAdd: (choice: MealChoice) => void
  onRemove: () => void
}

const choices = (names: readonly string[]) =>
  names.map((name) => ({ value: name, label: sentenceCase(name) }))
const sentenceCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** One meal on one day: what it is, what it costs, what goes with it. Add waits until all is chosen. */
export const MealCard = ({ item, sides, inCart, onAdd, onRemove }: MealCardProps) => {
  const [chosenProtein, setProtein] = useState(inCart?.category ?? '')
  const [chosenSide, setSide] = useState(inCart?.sideDish ?? '')
  const protein = inCart ? (inCart.category ?? '') : chosenProtein
  const side = inCart ? (inCart.sideDish ?? '') : chosenSide
  const ready = (item.categories.length === 0 || protein) && (sides.length === 0 || side)
  const held = inCart !== null
  return (
    <article className={classes('flex flex-col gap-3 p-4 last:flex-1', held && 'bg-brand-50')}>
      <MealWords item={item} />
      {item.categories.length + sides.length > 0 ? (
        <div className="flex items-start gap-3 sm:flex-col">
          <Pick label="Protein" names={item.categories} value={protein} held={held} onPick={setProtein} />
          <Pick label="Side dish" names={sides} value={side} held={held} onPick={setSide} />
        </div>
      ) : null}
      {item.proteinDescriptions[protein] ? (
        <p className="text-xs text-muted" aria-live="polite">
          {item.proteinDescriptions[protein]}
        </p>
      ) : null}
      <div className="mt-auto">
        {held ? (
          <p className="mb-2 flex items-center gap-2 text-sm font-semibold text-brand-700">
            <Icon name="check" size="sm" />
            In your cart
          </p>
        ) : null}
        {/* One button with two words keeps the focus of whoever pressed it. */}
        <Button
          variant={held ? 'secondary' : 'primary'}
          icon={held ? 'minus' : 'plus'}
          className="w-full"
          disabled={!held && !ready}
          onClick={() =>
            held ? onRemove() : onAdd({ item, category: protein || null, sideDish: side || null })
          }
        >
          {held ? 'Remove' : 'Add'}
        </Button>
      </div>
    </article>
  )
}

type PickProps = {
  label: string
  names: readonly string[]
  value: string
  held: boolean
  onPick: (name: string) => void
}

const Pick = ({ label, names, value, held, onPick }: PickProps) =>
  names.length === 0 ? null : (
    <Select
      label={label}
      placeholder="Choose"
      options={choices(names)}
      value={value}
      disabled={held}
      onChange={(event) => onPick(event.target.value)}
      className="w-full min-w-0"
    />
  )

const MealWords = ({ item }: { item: MenuItem }) => {
  const [broken, setBroken] = useState(false)
  return (
    <>
      {item.imageUrl && !broken ? (
        <img
          src={item.imageUrl}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
          className="aspect-video w-full rounded-md bg-sand-100 object-cover"
        />
      ) : null}
      <div className="flex items-start justify-between gap-x-3 gap-y-1 sm:flex-col">
        <h4 className="min-w-0 font-display text-lg leading-snug font-semibold break-words">{item.name}</h4>
        <MealPrice item={item} />
      </div>
      {item.description ? <p className="-mt-2 text-sm text-muted">{item.description}</p> : null}
    </>
  )
}

const MealPrice = ({ item }: { item: MenuItem }) =>
  item.discountPrice === undefined || Number(item.price) === 0 ? (
    <p className="money font-semibold">{kwacha(item.price)}</p>
  ) : (
    <p className="money flex flex-col items-end gap-x-2 text-right font-semibold sm:flex-row sm:flex-wrap sm:items-center">
      <s className="text-sm font-normal text-muted">
        <span className="sr-only">Instead of </span>
        {kwacha(item.price)}
      </s>
      <span className="text-accent-700">{kwacha(item.discountPrice)}</span>
      {item.discountPercentage ? <Badge tone="accent">{item.discountPercentage}% OFF</Badge> : null}
    </p>
  )
