import { useId, useState } from 'react'
import { type MenuItem } from '#contracts/catalogue'
import { markOf, type MealMark, type MealMarks } from '#contracts/health'
import { pictureSources } from '#contracts/pictures'
import { classes } from '../../lib/classes'
import { capitalised, kwacha, onlyOne, missingChoicesText } from '../../lib/format'
import { own } from '../../lib/own'
import { Badge, Mark, OldPrice } from '../../ui/badge'
import { Button } from '../../ui/button'
import { controlClass } from '../../ui/field'
import { Icon } from '../../ui/icon'
import { Picture } from '../../ui/picture'
import { Tooltip, tooltipDelay } from '../../ui/tooltip'
import type { Eater } from './menu-week'

/** What a parent chose for one day. */
export type MealChoice = { item: MenuItem; category: string | null; sideDish: string | null }

export type MealCardProps = {
  item: MenuItem
  eater: Eater
  /** "Monday 14 September", for the names of the controls. */
  dayText: string
  marks: MealMarks | undefined
  sides: readonly string[]
  /** "Thursday 08:00", for a dish with lead days. */
  orderBy?: string | undefined
  /** Its pictures load at once, those of the calendar when seen. */
  inSheet?: boolean
  /** `Change`: replaces an ordered meal. */
  verb?: 'Add' | 'Change'
  left: number | undefined
  /** Set when this meal is in the cart for the day. */
  inCart: { category: string | null; sideDish: string | null } | null
  onAdd: (choice: MealChoice) => void
  onRemove: () => void
}

/** Add waits until every choice is made. */
export const MealCard = ({
  item,
  eater,
  dayText,
  marks,
  sides,
  orderBy,
  inSheet = false,
  verb = 'Add',
  left,
  inCart,
  onAdd,
  onRemove,
}: MealCardProps) => {
  const [chosenProtein, setProtein] = useState(onlyOne(item.categories))
  const [chosenSide, setSide] = useState(onlyOne(sides))
  const hint = useId()
  const of = `${item.name} for ${eater.name}, ${dayText}`
  const protein = inCart?.category ?? chosenProtein
  const side = inCart?.sideDish ?? chosenSide
  const held = inCart !== null
  const description = own(item.proteinDescriptions, protein)
  const noProtein = item.categories.length > 0 && !protein
  const noSide = sides.length > 0 && !side
  const mark = markOf(marks, eater, item)
  const isOffered = left !== 0 && mark.rule !== 'block'
  const missing = held ? '' : missingChoicesText([noProtein && 'a protein', noSide && 'a side dish'])
  const press = () => {
    // Removed meals keep their choices, so that Add restores them.
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
      <MealText item={item} inSheet={inSheet} />
      {orderBy ? <Mark>Order by {orderBy}</Mark> : null}
      {left === undefined ? null : <PortionsLeft left={left} />}
      <MarkText mark={mark} />
      {!isOffered && !held ? null : (
        <div className="mt-auto flex flex-wrap gap-2">
          <Pick
            label="Protein"
            of={of}
            names={item.categories}
            value={protein}
            held={held}
            hint={!held && noProtein ? hint : undefined}
            onPick={setProtein}
          />
          <Pick
            label="Side dish"
            of={of}
            names={sides}
            value={side}
            held={held}
            hint={!held && noSide ? hint : undefined}
            onPick={setSide}
          />
          <Tooltip text={missing} delay={tooltipDelay.menu} place="below" className="grow basis-16">
            {() => (
              <Button
                disabled={missing !== ''}
                aria-label={`${held ? 'Remove' : verb} ${of}`}
                aria-describedby={missing === '' ? undefined : hint}
                variant={held ? 'secondary' : 'primary'}
                icon={held ? 'minus' : verb === 'Add' ? 'plus' : 'edit'}
                className="w-full flex-col gap-0! px-0! text-xs!"
                onClick={press}
              >
                {held ? 'Remove' : verb}
              </Button>
            )}
          </Tooltip>
        </div>
      )}
      {missing !== '' && isOffered ? (
        <p id={hint} className="text-xs text-muted">
          {missing}
        </p>
      ) : null}
      {description ? (
        <p className="text-xs text-muted" aria-live="polite">
          {description}
        </p>
      ) : null}
    </article>
  )
}

const MarkText = ({ mark: { conflict, unstated, rule } }: { mark: MealMark }) => (
  <>
    {conflict ? (
      <Mark danger>{rule === 'block' ? `${conflict}. It cannot be ordered.` : conflict}</Mark>
    ) : null}
    {unstated ? <Mark>{unstated}</Mark> : null}
  </>
)

const PortionsLeft = ({ left }: { left: number }) => (
  <p>{left === 0 ? <Badge tone="danger">Sold out</Badge> : <Badge tone="warning">{left} left</Badge>}</p>
)

type PickProps = {
  label: string
  of: string
  names: readonly string[]
  value: string
  held: boolean
  /** Id of the hint while unchosen. */
  hint: string | undefined
  onPick: (name: string) => void
}

/** The label is the placeholder: three of these share a row on a phone. */
const Pick = ({ label, of, names, value, held, hint, onPick }: PickProps) =>
  names.length === 0 ? null : (
    <label className="relative min-w-[6.5rem] flex-[999]">
      <span className="sr-only">{label}</span>
      <select
        value={value}
        disabled={held}
        aria-label={`${label} of ${of}`}
        aria-describedby={hint}
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

const MealText = ({ item, inSheet }: { item: MenuItem; inSheet: boolean }) => {
  return (
    <div className={classes('flex gap-3', !inSheet && 'lg:flex-col')}>
      {item.imageUrl ? (
        <Picture
          of={pictureSources(item.imageUrl)}
          sizes="(width < 64rem) 80px, 220px"
          when={inSheet ? 'atOnce' : 'seen'}
          className={inSheet ? 'size-20' : 'size-16 lg:aspect-4/3 lg:h-auto lg:w-full'}
        />
      ) : null}
      <div className="@container min-w-0 flex-1">
        <div className="flex flex-wrap justify-between gap-x-3 @max-[11rem]:flex-col lg:flex-col">
          <h4 className="min-w-0 font-display leading-snug font-semibold break-words">{item.name}</h4>
          <MealPrice item={item} />
        </div>
        <div className={classes('text-muted', inSheet && 'flex flex-col-reverse')}>
          {item.description ? <p className="text-sm break-words">{item.description}</p> : null}
          {item.allergens?.length ? (
            <p className="text-xs break-words">Contains {item.allergens.join(', ').toLowerCase()}</p>
          ) : null}
        </div>
      </div>
    </div>
  )
}

const isReduced = ({ price, discountPrice }: MenuItem) => discountPrice !== undefined && Number(price) > 0

const MealPrice = ({ item }: { item: MenuItem }) =>
  isReduced(item) ? (
    <p className="money flex flex-wrap items-center gap-x-2 leading-snug font-semibold">
      <OldPrice price={item.price} className="text-sm font-normal text-muted" />
      <span className="text-accent-700">{kwacha(item.discountPrice!)}</span>
      {item.discountPercentage ? <Badge tone="accent">{item.discountPercentage}% OFF</Badge> : null}
    </p>
  ) : (
    <p className="money leading-snug font-semibold">{kwacha(item.price)}</p>
  )
