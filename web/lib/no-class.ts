/** In the address of a list: children without a class. Longer than the name of any class can be. */
export const noClass = 'children-without-a-class'

/** The filter by class where the address asks for children without one; as a filter it is ''. */
export const classlessAsked = (address: URLSearchParams): { class?: '' } =>
  address.get('class') === noClass ? { class: '' } : {}
