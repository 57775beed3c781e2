import { useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import { classes } from '../../lib/classes'
import { capitalised, kwacha } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { controlClass } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { Tooltip, tooltipDelay } from '../../ui/tooltip'
import { OldPrice } from '../../ui/old-price'

/** What a parent chose for one day. */
export type MealChoice = { item: MenuItem; category: string | null; sideDish: string | null }

type MealCardProps = {
  item: MenuItem
  sides: readonly string[]
  /** How many portions there are yet, where that is to be told; 0: sold out. */
  left: number | undefined
  /** What is in the cart for this day, when it is this meal. */
  inCart: { category: string | null; sideDish: string | null } | null
  onAdd: (choice: MealChoice) => void
  onRemove: () => void
}

/** One meal on one day: what it is, what it costs, what goes with it. Add waits until all is chosen. */
export const MealCard = ({ item, sides, left, inCart, onAdd, onRemove }: MealCardProps) => {
  const [chosenProtein, setProtein] = useState('')
  const [chosenSide, setSide] = useState('')
  const protein = inCart?.category ?? chosenProtein
  const side = inCart?.sideDish ?? chosenSide
  const missing = [
    item.categories.length > 0 && !protein && 'a protein',
    sides.length > 0 && !side && 'a side dish',
  ].filter(Boolean)
  const held = inCart !== null
  const press = () => {
    // What is taken out of the cart stays chosen, so that the same button can put it back.
    setProtein(protein)
    setSide(side)
    if (held) onRemove()
    else onAdd({ item, category: protein || null, sideDish: side || null })
  }
  return (
    <article
      className={classes(
        'flex flex-col gap-2 border-t border-line p-3 last:rounded-b-lg sm:max-lg:odd:border-r sm:max-lg:odd:last:col-span-2 sm:max-lg:odd:last:border-r-0',
        held && 'bg-accent-50',
      )}
    >
      <MealWords item={item} />
      {left === undefined ? null : <PortionsLeft left={left} />}
      {left === 0 && !held ? null : (
        <div className="mt-auto flex flex-wrap gap-2">
          <Pick label="Protein" names={item.categories} value={protein} held={held} onPick={setProtein} />
          <Pick label="Side dish" names={sides} value={side} held={held} onPick={setSide} />
          <Tooltip
            text={missing.length > 0 && !held ? `Choose ${missing.join(' and ')} first` : ''}
            delay={tooltipDelay.menu}
            place="below"
            className="grow basis-16"
          >
            {() => (
              <Button
                variant={held ? 'secondary' : 'primary'}
                icon={held ? 'minus' : 'plus'}
                className="w-full flex-col gap-0! px-0! text-xs!"
                disabled={!held && missing.length > 0}
                onClick={press}
              >
                {held ? 'Remove' : 'Add'}
              </Button>
            )}
          </Tooltip>
        </div>
      )}
      {item.proteinDescriptions[protein] ? (
        <p className="text-xs text-muted" aria-live="polite">
          {item.proteinDescriptions[protein]}
        </p>
      ) : null}
    </article>
  )
}

const PortionsLeft = ({ left }: { left: number }) => (
  <p>{left === 0 ? <Badge tone="danger">Sold out</Badge> : <Badge tone="warning">{left} left</Badge>}</p>
)

type PickProps = {
  label: string
  names: readonly string[]
  value: string
  held: boolean
  onPick: (name: string) => void
}

/** A choice whose name stands in it until something is chosen: on a phone three of these things share a row. */
const Pick = ({ label, names, value, held, onPick }: PickProps) =>
  names.length === 0 ? null : (
    <label className="relative min-w-26 flex-[999]">
      <span className="sr-only">{label}</span>
      <select
        value={value}
        disabled={held}
        onChange={(event) => onPick(event.target.value)}
        className={classes(controlClass, 'appearance-none truncate pl-2', held ? 'pr-1' : 'pr-7')}
      >
        <option value="" disabled>
          {label}
        </option>
        {names.map((name) => (
          <option key={name} value={name}>
            {capitalised(name)}
          </option>
        ))}
      </select>
      {held ? null : (
        <Icon
          name="chevron-down"
          size="sm"
          className="pointer-events-none absolute top-3.5 right-2 text-muted"
        />
      )}
    </label>
  )

const MealWords = ({ item }: { item: MenuItem }) => {
  const [broken, setBroken] = useState(false)
  return (
    <div className="flex gap-3 lg:flex-col">
      {item.imageUrl && !broken ? (
        <img
          src={item.imageUrl}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
          className="size-16 rounded-md bg-sand-100 object-cover lg:aspect-video lg:h-auto lg:w-full"
        />
      ) : null}
      <div className="grid min-w-0 flex-1 grid-cols-[1fr_auto] grid-rows-[auto_1fr] gap-x-3 lg:grid-cols-1 lg:grid-rows-none">
        <h4 className="font-display leading-snug font-semibold break-words">{item.name}</h4>
        <MealPrice item={item} />
        <div className={classes('text-muted', !isReduced(item) && 'col-span-full')}>
          {item.description ? <p className="text-sm">{item.description}</p> : null}
          {item.allergens.length > 0 ? (
            <p className="text-xs">Contains {item.allergens.join(', ').toLowerCase()}</p>
          ) : null}
        </div>
      </div>
    </div>
  )
}

const isReduced = ({ price, discountPrice }: MenuItem) => discountPrice !== undefined && Number(price) > 0

const MealPrice = ({ item }: { item: MenuItem }) =>
  isReduced(item) ? (
    // Below the five columns in a narrow column beside the words, the price to pay in line with the name.
    <p className="money row-span-2 flex flex-col items-end gap-x-2 leading-snug font-semibold lg:row-span-1 lg:flex-row lg:flex-wrap lg:items-center">
      <OldPrice price={item.price} className="text-sm font-normal text-muted max-lg:order-1" />
      <span className="text-accent-700">{kwacha(item.discountPrice!)}</span>
      {item.discountPercentage ? (
        <span className="max-lg:order-1">
          <Badge tone="accent">{item.discountPercentage}% OFF</Badge>
        </span>
      ) : null}
    </p>
  ) : (
    <p className="money leading-snug font-semibold">{kwacha(item.price)}</p>
  )
