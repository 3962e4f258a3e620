import { chatCard } from '../chat-card.ts';

export const manifest = chatCard('slack', 'Notifications to channels and people, with one thread for each finding.');
