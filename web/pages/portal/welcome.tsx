import { Icon, type IconName } from '../../ui/icon'

const promises: { icon: IconName; text: string }[] = [
  { icon: 'calendar', text: 'Choose lunches weeks ahead, in one go' },
  { icon: 'people', text: 'One account for all your children' },
  { icon: 'clock', text: 'Cancel within an hour when plans change' },
]

/** The green half of the portal entry: what this is, and for whom. On a phone only its first lines. */
export const Welcome = ({ school }: { school: string }) => (
  <header className="awning bg-head text-head-ink lg:mb-0 lg:flex lg:flex-col lg:items-center lg:justify-center lg:after:hidden">
    <div className="relative overflow-hidden px-5 py-6 pr-28 lg:max-w-form lg:overflow-visible lg:px-8">
      <img
        src="/lunch.svg"
        alt=""
        width="480"
        height="480"
        className="absolute top-1/2 -right-8 size-32 -translate-y-1/2 sm:right-6 sm:size-22 lg:static lg:-ml-6 lg:mb-6 lg:size-64 lg:translate-y-0"
      />
      <h1 className="font-display text-xl font-semibold lg:text-3xl">Parent &amp; Teacher Portal</h1>
      <p className="text-sm text-head-quiet lg:mt-1 lg:text-lg">School lunches from {school}</p>
      <ul className="mt-8 hidden flex-col gap-3 lg:flex">
        {promises.map(({ icon, text }) => (
          <li key={text} className="flex items-center gap-4 text-head-quiet">
            <span className="rounded-full bg-head-raised p-2 text-head-accent">
              <Icon name={icon} />
            </span>
            {text}
          </li>
        ))}
      </ul>
    </div>
  </header>
)
