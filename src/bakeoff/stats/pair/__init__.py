"""Two models on the same items: is the difference more than noise, and how many items would show it?"""
