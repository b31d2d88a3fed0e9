/**
 * A state that needs explaining: what is the matter, and what the user can do.
 */
export interface INotice {
  readonly title: string;
  readonly remedy: string;

  /**
   * What the source itself said, for those who want to search for it; may be empty.
   */
  readonly detail: string;
}
